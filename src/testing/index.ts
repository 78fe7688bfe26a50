/** Test doubles and conformance suites for those who write occupants, stores or protocols of their own. */
export { type StoreCase, storeCases } from "./conformance/store.ts";
export { scriptedOccupant, specOf } from "./scripted.ts";
