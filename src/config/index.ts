/** Everything between what a user typed or wrote in files and what a run begins with, listed name by name. */
export { resolveConfig } from "./config-file.ts";
export { defaultConfigText } from "./default-config.ts";
export { parseDuration } from "./duration.ts";
export type { Origin } from "./layers.ts";
export { type Plan, type PlanFlags, plan } from "./plan.ts";
export { CaseFile, Config, Dossier, PanelFile } from "./shapes.ts";
export { stateFolder } from "./state-folder.ts";
export { settleTrust } from "./trust.ts";
