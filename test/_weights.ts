import { existsSync } from 'node:fs'

/** Marks the title of a suite that did not run because model weights are missing; `npm test` counts these in its summary. */
export const NOT_RUN = 'NOT RUN'

/** Missing weights of the built-in packs. */
export const MISSING_WEIGHTS = [
  'models/clip-lite/onnx/vision_model.onnx',
  'models/open-nsfw/open-nsfw.onnx',
  'models/smollm2-135m-openers/SmolLM2-135M-Instruct.merged.Q8_0.gguf',
].filter((file) => !existsSync(file))

/**
 * Describes a suite that needs model weights. When they are missing, the suite is skipped with a title that says so; in CI it fails.
 * @param missing - why the weights cannot be used, such as a missing file; empty or undefined when they can
 */
export function describeWithWeights(
  title: string,
  missing: string | readonly string[] | undefined,
  suite: () => void,
): void {
  const reason = typeof missing === 'string' ? missing : (missing ?? []).join(', ')
  if (reason === '') {
    describe(title, suite)
  } else if (process.env.CI) {
    describe(title, () => {
      it('finds its model weights', () => {
        throw new Error(`Model weights are missing: ${reason}. Run: npm run models -- pull`)
      })
    })
  } else {
    describe.skip(
      `${NOT_RUN}, weights missing (npm run models -- pull): ${title}: ${reason}`,
      suite,
    )
  }
}
