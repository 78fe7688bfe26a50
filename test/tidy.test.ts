/**
 * The house rules as tests. Each failure names a file, a line and what to do; there is no list of exceptions.
 *
 * A rule that people must remember is forgotten; a rule that is a test is kept. When CONTRIBUTING.md gains a rule, this file does.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { pages } from "../scripts/pages.ts";
import { errorCodes } from "../src/errors.ts";
import { Event } from "../src/events.ts";
import { version } from "../src/version.ts";
import { essayPromises, protocolName, stepDifferences, testTitles } from "./tidy/essays.ts";
import { browserSafe, importTable, rowOf } from "./tidy/import-table.ts";
import { builtinImports, closure, joinUses, packageImports, worldUses } from "./tidy/reach.ts";
import { longFiles, longFunctions, withoutOpening } from "./tidy/sizes.ts";
import type { Finding } from "./tidy/source.ts";
import { listed, paths, root, rootName, source, sources, walk } from "./tidy/source.ts";
import { avoidedWords, exportedNames, fileNames, flags, glossary, schemaFields } from "./tidy/words.ts";

const everywhere = sources("src", "sim", "test", "scripts", "bench", "examples");
const src = everywhere.filter((file) => file.path.startsWith("src/"));
const protocols = src.filter((file) => file.path.startsWith("src/protocols/") && basename(file.path) !== "index.ts");
const tests = everywhere.filter((file) => file.path.startsWith("test/") && file.path.endsWith(".test.ts"));

describe("imports", () => {
  test("Every file under src has a place in the import table.", () => {
    const lost = src.filter((file) => rowOf(file.path) === null);
    expect(
      listed(lost.map(({ path }) => ({ path, line: 1, problem: "stands in no row of test/tidy/import-table.ts" }))),
    ).toEqual([]);
  });

  test("Imports go one way, as the import table says.", () => {
    const found: Finding[] = [];
    for (const file of src) {
      const row = rowOf(file.path);
      if (!row) continue;
      for (const { target, line } of file.imports) {
        if (target === null) continue;
        const seen = rowOf(target)?.name ?? "a file outside src";
        if (seen === row.name || row.sees.includes(seen)) continue;
        found.push({ path: file.path, line, problem: `${row.name} may not see ${seen} (${target})` });
      }
    }
    expect(listed(found)).toEqual([]);
  });

  test("Each part uses only the packages the import table gives it.", () => {
    const found: Finding[] = [];
    for (const { packages, name } of importTable) {
      if (packages === "any") continue;
      const inRow = src.filter((file) => rowOf(file.path)?.name === name);
      found.push(...packageImports(inRow, packages));
    }
    expect(listed(found)).toEqual([]);
  });

  test("Packages that src imports are runtime dependencies.", () => {
    const { dependencies = {}, peerDependencies = {}, optionalDependencies = {} } = manifest("package.json");
    const known = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
    const strange = packageImports(
      src.filter((file) => !file.path.startsWith("src/testing/")),
      known,
    );
    expect(listed(strange.filter(({ problem }) => !problem.includes(" node:")))).toEqual([]);
  });

  test("A browser can load the events and the fold, with everything they import.", () => {
    const files = closure(browserSafe);
    expect(listed([...packageImports(files, ["zod"]), ...worldUses(files)])).toEqual([]);
  });
});

describe("what code may reach", () => {
  test("A protocol has no clock, dice, network, files, timers or concurrency of its own.", () => {
    expect(listed([...worldUses(protocols), ...joinUses(protocols), ...builtinImports(protocols)])).toEqual([]);
  });

  test("The engine has no clock, dice, network, files or timers but those of its ports.", () => {
    const engine = src.filter((file) => /^src\/[^/]+$/.test(file.path) && file.path !== "src/chain.ts");
    const chain = [source("src/chain.ts")];
    expect(listed([...worldUses(engine), ...builtinImports(engine)])).toEqual([]);
    expect(listed([...worldUses(chain), ...builtinImports(chain, ["node:crypto"])])).toEqual([]);
  });
});

describe("sizes and openings", () => {
  test("Protocols have at most 150 lines and other files 300.", () => {
    expect(listed(longFiles(everywhere))).toEqual([]);
  });

  test("Functions have at most 60 lines.", () => {
    expect(listed(longFunctions(everywhere))).toEqual([]);
  });

  test("Every file but a test, whose titles do it, opens with a doc comment that says what it is.", () => {
    const named = everywhere.filter((file) => !file.path.endsWith(".test.ts"));
    expect(listed(withoutOpening(named))).toEqual([]);
  });

  test("Files have kebab-case names, none of them utils, and named exports only.", () => {
    const badly = everywhere.filter(
      ({ path }) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.ts$/.test(basename(path)) || /\butils?\b/.test(path),
    );
    const found: Finding[] = badly.map(({ path }) => ({
      path,
      line: 1,
      problem: "needs a kebab-case name that says what it is",
    }));
    for (const file of src) {
      walk(file.program, (node) => {
        if (node.type !== "ExportDefaultDeclaration") return;
        found.push({ path: file.path, line: file.lineAt(node.start), problem: "a default export: give it a name" });
      });
    }
    expect(listed(found)).toEqual([]);
  });

  test("Nothing in src is left to be done later.", () => {
    const found = src.flatMap((file) =>
      file.comments
        .filter(({ value }) => /\b(TODO|FIXME|XXX|HACK)\b/.test(value))
        .map(({ start }) => ({ path: file.path, line: file.lineAt(start), problem: "do it, or open an issue" })),
    );
    expect(listed(found)).toEqual([]);
  });
});

describe("essays", () => {
  test("Every protocol has its essay, and every essay its protocol.", () => {
    const essays = paths("docs/protocols/*.md").map(protocolName);
    expect(essays).toEqual(protocols.map(({ path }) => protocolName(path)).sort());
  });

  test("The numbered steps of an essay are the numbered comments of its code, word for word.", () => {
    expect(protocols.length).toBeGreaterThan(0);
    expect(protocols.flatMap((file) => stepDifferences(essayOf(file.path), file))).toEqual([]);
  });

  test("Every promise of an essay is the title of a test, word for word.", () => {
    const titles = testTitles(tests);
    const found: Finding[] = [];
    for (const path of protocols.map((file) => essayOf(file.path))) {
      const promises = essayPromises(path);
      if (promises.length === 0) found.push({ path, line: 1, problem: `has no bullets under "## What it promises"` });
      const broken = promises.filter(({ text }) => !titles.has(text));
      found.push(...broken.map(({ text, line }) => ({ path, line, problem: `no test is called "${text}"` })));
    }
    expect(listed(found)).toEqual([]);
  });
});

describe("words", () => {
  test("No name uses a word that the glossary says to avoid.", () => {
    const entries = glossary();
    expect(entries.length).toBeGreaterThan(20);
    const cli = src.filter((file) => file.path.startsWith("src/surfaces/"));
    const events = Event.options
      .map(nameOf)
      .map((name) => ({ name, what: "the event", path: "src/events.ts", line: 1 }));
    const names = [...exportedNames(src), ...events, ...schemaFields(), ...flags(cli), ...fileNames(src)];
    expect(listed(avoidedWords(names, entries))).toEqual([]);
  });

  test("Every event is named by a noun of the glossary and a verb.", () => {
    const nouns = new Set(glossary().map(({ word }) => word.toLowerCase()));
    const strange = Event.options
      .map(nameOf)
      .filter((name) => !/^[a-z]+-[a-z]+$/.test(name) || !nouns.has(name.split("-")[0] ?? ""));
    expect(strange.map((name) => `src/events.ts: ${name} is not a noun of GLOSSARY.md and a verb`)).toEqual([]);
  });

  test("Every error code is on the reference page.", () => {
    const page = readFileSync(join(root, "docs/reference/errors.md"), "utf8");
    const missing = Object.keys(errorCodes).filter((code) => !page.includes(`\`${code}\``));
    expect(missing.map((code) => `docs/reference/errors.md does not tell of ${code}: run npm run print`)).toEqual([]);
  });

  test("The printed pages and schemas are what `npm run print` writes.", () => {
    const printed = pages();
    const stale = [...printed].filter(
      ([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), "utf8") !== text,
    );
    expect(stale.map(([path]) => `${path} is not what the code says: run npm run print`)).toEqual([]);
    const kept = [...paths("docs/reference/*"), ...paths("schema/*")];
    expect(
      kept.filter((path) => !printed.has(path)).map((path) => `${path} is printed from nothing: remove it`),
    ).toEqual([]);
  });
});

describe("tests and packages", () => {
  test("The version in the code is that of package.json.", () => {
    expect(manifest("package.json").version).toBe(version);
  });

  test("No test is left out, and none runs alone.", () => {
    const found: Finding[] = [];
    for (const file of tests) {
      walk(file.program, (node) => {
        if (node.type !== "MemberExpression" || !["test", "it", "describe"].includes(rootName(node) ?? "")) return;
        const name = String((node.property as { name?: string }).name);
        if (["only", "skip", "todo"].includes(name))
          found.push({ path: file.path, line: file.lineAt(node.start), problem: `.${name}` });
      });
    }
    expect(listed(found)).toEqual([]);
  });

  test("Packages are pinned to exact versions, few at run time, and none of ours runs a script on install.", () => {
    const found: string[] = [];
    for (const path of paths("{,bench/,web/}package.json")) {
      const { scripts = {}, dependencies = {}, devDependencies = {}, optionalDependencies = {} } = manifest(path);
      const pinned = { ...dependencies, ...devDependencies, ...optionalDependencies };
      const loose = Object.entries(pinned).filter(
        ([, version]) => !/^(file:.+|\d+\.\d+\.\d+(-[\w.]+)?)$/.test(version),
      );
      found.push(...loose.map(([name, version]) => `${path}: ${name} is "${version}", not one exact version`));
      const onInstall = ["preinstall", "install", "postinstall", "prepare"].filter((name) => name in scripts);
      found.push(...onInstall.map((name) => `${path}: the script "${name}" runs on install`));
      const count = Object.keys(dependencies).length;
      if (path === "package.json" && count > 18)
        found.push(`${path}: ${count} runtime dependencies, and 18 are allowed`);
    }
    expect(found).toEqual([]);
  });
});

type Manifest = { version?: string } & Partial<Record<ManifestPart, Record<string, string>>>;
type ManifestPart = "scripts" | "dependencies" | "devDependencies" | "optionalDependencies" | "peerDependencies";

function manifest(path: string): Manifest {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

function essayOf(path: string): string {
  return `docs/protocols/${protocolName(path)}.md`;
}

function nameOf(option: (typeof Event.options)[number]): string {
  return option.shape.type.value;
}
