import { z } from 'zod'
import { packPath, siblingFolder } from './pack-path.js'

/** How to use a pair of ONNX towers that embed photos and texts in the same space. */
export const clipSection = z.strictObject({
  vision: z.strictObject({
    model: packPath.describe('ONNX file of the image tower.'),
    input: z.string().default('pixel_values').describe('Name of its input tensor, float32.'),
    layout: z
      .enum(['nchw', 'nhwc'])
      .default('nchw')
      .describe('Order of the axes of the input: batch, channels, height, width.'),
    output: z
      .string()
      .default('image_embeds')
      .describe('Output tensor, one embedding per photo; the service scales them to unit norm.'),
  }),
  text: z.strictObject({
    model: packPath.describe('ONNX file of the text tower.'),
    inputs: z
      .array(z.enum(['input_ids', 'attention_mask', 'token_type_ids']))
      .min(1)
      .default(['input_ids', 'attention_mask'])
      .describe('Input tensors, int64 [batch, sequence].'),
    output: z
      .string()
      .default('text_embeds')
      .describe('Output tensor, one embedding per text; the service scales them to unit norm.'),
    maxTokens: z
      .int()
      .min(8)
      .max(8_192)
      .describe('Longer texts are truncated to this length, special tokens kept.'),
    padding: z
      .enum(['longest', 'max-length'])
      .default('longest')
      .describe('`longest`: to the longest text of a batch; `max-length`: always to maxTokens.'),
  }),
  tokenizer: z
    .union([z.literal('.'), packPath])
    .default('.')
    .describe('Folder with tokenizer.json and tokenizer_config.json.'),
  preprocessor: packPath
    .default('preprocessor_config.json')
    .describe('Image preprocessing in the Hugging Face format: size, crop, mean, std.'),
  embeddingDimension: z.int().min(16).max(8_192),
  logitScale: z
    .number()
    .positive()
    .describe('Factor on cosine similarities before a softmax over captions: exp(logit_scale).'),
})

const channels = z.tuple([z.number(), z.number(), z.number()])

/** How to use an ONNX classifier that scores how likely a photo is not safe for work. */
export const photoSafetySection = z.strictObject({
  model: packPath.describe('ONNX file.'),
  input: z.strictObject({
    name: z.string().describe('Name of the input tensor, float32.'),
    width: z.int().min(16).max(2_048),
    height: z.int().min(16).max(2_048),
    layout: z.enum(['nhwc', 'nchw']),
    channelOrder: z.enum(['rgb', 'bgr']),
    resize: z
      .strictObject({
        width: z.int().min(16).max(4_096),
        height: z.int().min(16).max(4_096),
        fit: z.enum(['fill', 'cover']).describe('`fill` stretches, `cover` keeps the proportions.'),
        kernel: z.enum(['nearest', 'linear', 'cubic', 'mitchell', 'lanczos2', 'lanczos3']),
      })
      .describe('Resize before the centre crop to width × height.'),
    mean: channels.describe('Subtracted from pixel values 0 to 255, in channelOrder.'),
    scale: channels
      .default([1, 1, 1])
      .describe(
        'Factor after subtracting the mean, in channelOrder; 1 / (255 · std) for ImageNet.',
      ),
  }),
  output: z.strictObject({
    name: z.string().describe('Name of the output tensor, [batch, classes].'),
    values: z.enum(['probabilities', 'logits']).describe('A softmax is applied to logits.'),
    unsafeIndices: z
      .array(z.int().min(0).max(1_000))
      .min(1)
      .describe('Classes whose probabilities add up to the unsafe score.'),
  }),
})

/** How to use a GGUF language model. */
export const llmSection = z.strictObject({
  model: packPath.describe('GGUF file; for a split model the first part.'),
  adapter: packPath.optional().describe('LoRA adapter as GGUF, applied with scale 1.'),
  merged: packPath
    .optional()
    .describe('GGUF with both merged, loaded instead of them: faster, especially without AMX.'),
  contextSize: z
    .int()
    .min(512)
    .max(131_072)
    .describe('Context window of each sequence, in tokens.'),
  gpuLayers: z
    .union([z.literal('auto'), z.int().min(0).max(1_000)])
    .default('auto')
    .describe('Layers on the GPU; `auto`: as many as fit. No effect without a GPU.'),
  prompts: siblingFolder.describe('Folder with the prompt files.'),
  system: z
    .string()
    .max(10_000)
    .optional()
    .describe('System message of every conversation. Unset: none.'),
  sampling: z
    .strictObject({
      temperature: z.number().min(0).max(2),
      minP: z.number().min(0).max(1).default(0),
      topP: z.number().gt(0).max(1).default(1),
    })
    .describe('Default sampling settings; a call may set another temperature.'),
})

export type ClipSection = z.infer<typeof clipSection>
export type PhotoSafetySection = z.infer<typeof photoSafetySection>
export type LlmSection = z.infer<typeof llmSection>

type LlmFiles = Pick<LlmSection, 'model' | 'adapter' | 'merged'>

/** Lists the files of a language pack that are not loaded, because the merged file contains them. */
export function mergedFiles({ model, adapter, merged }: LlmFiles): string[] {
  return merged === undefined ? [] : [model, adapter].filter((path) => path !== undefined)
}

/** Returns the files to load: the merged file, or else the model and its adapter. */
export function llmWeights({ model, adapter, merged }: LlmFiles): Omit<LlmFiles, 'merged'> {
  return merged === undefined ? { model, adapter } : { model: merged }
}
