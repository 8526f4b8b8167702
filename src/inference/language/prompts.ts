import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Template } from '@huggingface/jinja'
import { oneLine } from '../../text/one-line.js'
import type { ChatTurn, Sampling } from './language.js'
import { loadOpenerGuidance, type OpenerGuidance } from './opener-guidance.js'
import { compilePrompt, PromptError } from './prompt-template.js'
import { listTemplateNames } from './template-names.js'

export interface OpenerVariables {
  recipient: { name?: string; bio: string; photos: string[]; likes: string[] }
  sender: { name: string; likes: string[] }
  tone: string
  style: string
  /** Hand-written openers of that style for other people. */
  examples?: { about: string; text: string }[]
  /** What the opener picks up; empty: whatever it likes. */
  detail?: string
}

export interface PersonVariables {
  bio?: string
  photos: string[]
  likes: string[]
  lifestyle: string[]
}

export interface MatchReasonVariables {
  a: PersonVariables
  b: PersonVariables
  band: 'high' | 'medium' | 'low'
  category: string
}

export interface PreferencesVariables {
  bio: string
  photos: string[]
}

/** The input of a generation. */
export interface Prompt {
  turns: ChatTurn[]
  prefill?: string
}

/** The prompts of a pack. Every value is rendered on one line, so that none can imitate a line of the prompt. */
export interface Prompts {
  /** Asks for one line to send. */
  opener(variables: OpenerVariables): Prompt
  /** Whether the prompt for openers shows examples. */
  showsExamples: boolean
  /** Text that the user's turn of every prompt for openers begins with, whatever the variables. */
  openerOpening: string
  /** Guidance for openers that is specific to the model. */
  openerGuidance: OpenerGuidance
  /** Asks for one sentence; undefined when the service composes reasons itself. */
  matchReason: ((variables: MatchReasonVariables) => Prompt) | undefined
  /** Asks for `interests: x, y; lifestyle: u, v`. */
  preferences(variables: PreferencesVariables): Prompt
  /** First turn of every prompt; none when undefined. */
  system: string | undefined
  /** Recommended sampling of the pack. */
  sampling: Omit<Sampling, 'seed'>
  /** Changes with the prompts and the options. */
  revision: string
}

export interface PromptOptions {
  /** Replaces the folder's `system.txt`. */
  system?: string | undefined
  /** Recommended sampling of the pack. */
  sampling?: Omit<Sampling, 'seed'>
  /** Revision of the pack. */
  revision?: string
}

const DEFAULT_SAMPLING = { temperature: 0.7, minP: 0.05 }

const PERSON = { bio: 'x', photos: ['x'], likes: ['x'], lifestyle: ['x'] }
const SAMPLES = {
  opener: {
    recipient: { name: 'x', bio: 'x', photos: ['x'], likes: ['x'] },
    sender: { name: 'x', likes: ['x'] },
    tone: 'x',
    style: 'x',
    examples: [{ about: 'x', text: 'x' }],
    detail: 'x',
  },
  'match-reason': { a: PERSON, b: PERSON, band: 'high', category: 'x' },
  preferences: { bio: 'x', photos: ['x'] },
} satisfies Record<string, OpenerVariables | MatchReasonVariables | PreferencesVariables>

/**
 * Reads the prompt files of a pack: `opener.jinja`, `preferences.jinja` and optionally `match-reason.jinja` for the user's turn,
 * `<task>.prefill.jinja` for the beginning of the answer, and `system.txt`.
 * @throws PromptError when a file is missing or cannot be used
 */
export async function loadPrompts(folder: string, options: PromptOptions = {}): Promise<Prompts> {
  const { sampling = DEFAULT_SAMPLING } = options
  const system = options.system ?? (await readOptional(path.join(folder, 'system.txt')))?.trim()
  const [opener, matchReason, preferences] = await Promise.all([
    loadRequiredTask(folder, 'opener'),
    loadTask(folder, 'match-reason'),
    loadRequiredTask(folder, 'preferences'),
  ])
  const openerGuidance = await loadOpenerGuidance(folder)
  const sources = [opener, matchReason, preferences].flatMap((task) => task?.sources ?? [])
  const revision = createHash('sha256')
    .update(JSON.stringify([options.revision, system, sampling, sources, openerGuidance]))
    .digest('hex')
    .slice(0, 12)
  const before: ChatTurn[] = system ? [{ role: 'system', text: system }] : []

  function render({ turn, prefill }: Task, variables: object): Prompt {
    const values = flatten(variables) as Record<string, unknown>
    const turns: ChatTurn[] = [...before, { role: 'user', text: turn(values) }]
    return prefill ? { turns, prefill: prefill(values) } : { turns }
  }
  return {
    opener: ({ recipient, ...rest }) =>
      render(opener, { examples: [], detail: '', ...rest, recipient: { name: '', ...recipient } }),
    showsExamples: opener.reads.has('examples'),
    openerOpening: commonOpening(opener),
    openerGuidance,
    matchReason:
      matchReason &&
      (({ a, b, ...rest }) =>
        render(matchReason, { ...rest, a: { bio: '', ...a }, b: { bio: '', ...b } })),
    preferences: (variables) => render(preferences, variables),
    system,
    sampling,
    revision,
  }
}

interface Task {
  turn: (values: Record<string, unknown>) => string
  prefill: ((values: Record<string, unknown>) => string) | undefined
  sources: (string | undefined)[]
  /** Names of the variables that the turn reads. */
  reads: ReadonlySet<string>
}

async function loadRequiredTask(folder: string, name: keyof typeof SAMPLES): Promise<Task> {
  const task = await loadTask(folder, name)
  if (task) return task
  throw new PromptError(`The prompt file ${path.join(folder, `${name}.jinja`)} is missing.`)
}

async function loadTask(folder: string, name: keyof typeof SAMPLES): Promise<Task | undefined> {
  const sample = SAMPLES[name]
  const turnFile = path.join(folder, `${name}.jinja`)
  const prefillFile = path.join(folder, `${name}.prefill.jinja`)
  const [turn, prefill] = await Promise.all([readOptional(turnFile), readOptional(prefillFile)])
  if (turn === undefined) return undefined
  return {
    turn: compilePrompt(turn, turnFile, sample),
    prefill: prefill === undefined ? undefined : compilePrompt(prefill, prefillFile, sample),
    sources: [turn, prefill],
    reads: listTemplateNames(new Template(turn)).read,
  }
}

/** What two prompts with nothing in common begin with. */
function commonOpening({ turn }: Task): string {
  const empty = { recipient: { name: '', bio: '', photos: [], likes: [] }, examples: [] }
  const rest = { sender: { name: '', likes: [] }, tone: '', style: '', detail: '' }
  const one = turn(SAMPLES.opener)
  const other = turn({ ...empty, ...rest, recipient: { ...empty.recipient, bio: 'other' } })
  const length = [...one].findIndex((character, i) => character !== [...other][i])
  return [...one].slice(0, length === -1 ? undefined : length).join('')
}

async function readOptional(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Puts every text of a value on one line and drops empty list entries. */
function flatten(value: unknown): unknown {
  if (typeof value === 'string') return oneLine(value)
  if (Array.isArray(value)) return value.map(flatten).filter((item) => item !== '')
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, flatten(part)]))
}
