/** What a model can do, measured once in the background and kept by its file's hash. The profile decides who proposes. */
export { type Aptitude, checkAptitude, copiesFaithfully, type PartialAptitude, proposerOf } from "./check.ts";
export { type AptitudeService, createAptitude } from "./service.ts";
