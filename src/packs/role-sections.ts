import { z } from 'zod'
import { packPath, siblingFolder } from './pack-path.js'

/** How to use a pair of ONNX towers that embed photos and texts in one space. */
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
      .describe('Output tensor with one embedding a photo; scaled to unit norm by the service.'),
  }),
  text: z.strictObject({
    model: packPath.describe('ONNX file of the text tower.'),
    inputs: z
      .array(z.enum(['input_ids', 'attention_mask', 'token_type_ids']))
      .min(1)
      .default(['input_ids', 'attention_mask'])
      .describe('Input tensors it takes, int64 [batch, sequence].'),
    output: z
      .string()
      .default('text_embeds')
      .describe('Output tensor with one embedding a text; scaled to unit norm by the service.'),
    maxTokens: z
      .int()
      .min(8)
      .max(8_192)
      .describe('Longer texts are cut here, special tokens kept.'),
    padding: z
      .enum(['longest', 'max-length'])
      .default('longest')
      .describe('`longest`: to the longest text of a batch; `max-length`: always to maxTokens.'),
  }),
  tokenizer: z
    .union([z.literal('.'), packPath])
    .default('.')
    .describe('Folder of tokenizer.json and tokenizer_config.json.'),
  preprocessor: packPath
    .default('preprocessor_config.json')
    .describe('Image preparation in the format of Hugging Face: size, crop, mean, std.'),
  embeddingDimension: z.int().min(16).max(8_192),
  logitScale: z
    .number()
    .positive()
    .describe('Factor on cosine similarities before a softmax over captions: exp(logit_scale).'),
})

const channels = z.tuple([z.number(), z.number(), z.number()])

/** How to use an ONNX classifier that says how likely a photo is not safe for work. */
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
      .describe('First step; a centre crop to width × height follows.'),
    mean: channels.describe('Subtracted from pixel values 0 to 255, in channelOrder.'),
    scale: channels
      .default([1, 1, 1])
      .describe('Factor after the subtraction, in channelOrder: 1 / (255 · std) for ImageNet std.'),
  }),
  output: z.strictObject({
    name: z.string().describe('Name of the output tensor, [batch, classes].'),
    values: z.enum(['probabilities', 'logits']).describe('Logits go through a softmax.'),
    unsafeIndices: z
      .array(z.int().min(0).max(1_000))
      .min(1)
      .describe('Classes whose probabilities are added up to the unsafe score.'),
  }),
})

/** How to use a GGUF language model. */
export const llmSection = z.strictObject({
  model: packPath.describe('GGUF file; of a split model the first part.'),
  adapter: packPath.optional().describe('LoRA adapter as GGUF, applied at full strength.'),
  merged: packPath
    .optional()
    .describe('Both in one GGUF, which is loaded in their place: faster, most of all without AMX.'),
  contextSize: z.int().min(512).max(131_072).describe('Tokens of context for each sequence.'),
  gpuLayers: z
    .union([z.literal('auto'), z.int().min(0).max(1_000)])
    .default('auto')
    .describe('Layers on the GPU; `auto`: as many as fit. Without a GPU it has no effect.'),
  prompts: siblingFolder.describe('Folder of the prompt files.'),
  system: z
    .string()
    .max(10_000)
    .optional()
    .describe('System turn of every conversation. Unset: none.'),
  sampling: z
    .strictObject({
      temperature: z.number().min(0).max(2),
      minP: z.number().min(0).max(1).default(0),
      topP: z.number().gt(0).max(1).default(1),
    })
    .describe('Sampling the model works best with; a call may ask for another temperature.'),
})

export type ClipSection = z.infer<typeof clipSection>
export type PhotoSafetySection = z.infer<typeof photoSafetySection>
export type LlmSection = z.infer<typeof llmSection>

type LlmFiles = Pick<LlmSection, 'model' | 'adapter' | 'merged'>

/** Files of a language pack that another one holds, so that they are not loaded. */
export function mergedFiles({ model, adapter, merged }: LlmFiles): string[] {
  return merged === undefined ? [] : [model, adapter].filter((path) => path !== undefined)
}

/** What of a language pack is loaded: the model with its adapter, merged or not. */
export function llmWeights({ model, adapter, merged }: LlmFiles): Omit<LlmFiles, 'merged'> {
  return merged === undefined ? { model, adapter } : { model: merged }
}
