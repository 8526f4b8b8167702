/** The platform does not allow the fault; `message` says what is missing. */
export class SkippedScenario extends Error {}
