/** The table of protocols, by the name each is asked for. */
import type { Protocol } from "../protocol.ts";
import { debate } from "./debate.ts";

export const protocols: Readonly<Record<string, Protocol>> = { debate: debate as unknown as Protocol };
