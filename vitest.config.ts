/** How tests run: in Node, two at a time, so that a laptop and a small build machine give the same answer. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "node",
    include: ["test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A test that leaves something behind must not change the next one's outcome.
    unstubEnvs: true,
    restoreMocks: true,
  },
});
