/**
 * Completes package-lock.json with the platform packages that the registry in use did not offer.
 *
 * npm leaves an optional dependency out of the lock file when it cannot be looked up, and `npm ci` then refuses the lock on
 * every machine. The names carry the platform, so the missing entries can be written from what their parents ask for.
 */
import { readFileSync, writeFileSync } from "node:fs";

type LockEntry = {
  version?: string;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, LockEntry> };
const systems = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const processors = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

let added = 0;
for (const [path, parent] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const known = lock.packages[`${path}/node_modules/${name}`] ?? lock.packages[`node_modules/${name}`];
    if (known || !/^\d+\.\d+\.\d+/.test(version)) continue;
    const words = name.split(/[-/]/);
    const os = systems.find((system) => words.includes(system)) ?? (words.includes("wasm32") ? "wasi" : undefined);
    const cpu = processors.find((processor) => words.includes(processor));
    if (os === undefined || cpu === undefined) throw new Error(`${name}: the name does not tell its platform.`);
    const libc = words.some((word) => word.startsWith("musl"))
      ? ["musl"]
      : words.includes("gnu")
        ? ["glibc"]
        : undefined;
    lock.packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      dev: true,
      ...(libc && os === "linux" ? { libc } : {}),
      optional: true,
      os: [os],
    };
    added++;
  }
}
const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync("package-lock.json", `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
console.log(`${added} platform entries added to package-lock.json.`);
