/** Collects where the service does not behave as it should, so that one surprise does not hide the next. */
export class Expectations {
  readonly deviations: string[] = []

  /** @param otherwise - what is wrong when the condition does not hold */
  expect(condition: boolean, otherwise: string): void {
    if (!condition && !this.deviations.includes(otherwise)) this.deviations.push(otherwise)
  }
}
