/**
 * Loads the engine with one seeded bug: `PARLEY_MUTANT=name node --import ./sim/mutate.ts sim/run.ts …`.
 *
 * The source text is changed as it is loaded, so nothing in the engine knows of it.
 */
import { registerHooks } from "node:module";
import { mutants } from "./mutants.ts";

const wanted = process.env.PARLEY_MUTANT;
const mutant = mutants.find(({ name }) => name === wanted);
if (!mutant) throw new Error(`There is no mutant ${JSON.stringify(wanted)}.`);
const target = new URL(`../src/${mutant.file}`, import.meta.url).href;

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (url !== target || loaded.source === undefined || loaded.source === null) return loaded;
    const source =
      typeof loaded.source === "string" ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString("utf8");
    return { ...loaded, source: source.replace(mutant.find, () => mutant.replace) };
  },
});
