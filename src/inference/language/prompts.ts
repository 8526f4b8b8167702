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

interface ExampleVariables {
  about: string
  style: string
  tone: string
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
  /** What every prompt for openers begins with, whatever the variables. */
  openerStart: { system: string | undefined; opening: string }
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
  'opener.example': { about: 'x', style: 'x', tone: 'x' },
  'match-reason': { a: PERSON, b: PERSON, band: 'high', category: 'x' },
  preferences: { bio: 'x', photos: ['x'] },
} satisfies Record<
  string,
  OpenerVariables | ExampleVariables | MatchReasonVariables | PreferencesVariables
>

/** Shares nothing with the sample. */
const OTHER_OPENER: OpenerVariables = {
  recipient: { bio: 'other', photos: [], likes: [] },
  sender: { name: 'other', likes: [] },
  tone: 'other',
  style: 'other',
  examples: [{ about: 'other', text: 'other' }],
}

/**
 * Reads the prompt files of a pack: `opener.jinja`, `preferences.jinja` and optionally `match-reason.jinja` for the user's turn,
 * `<task>.prefill.jinja` for the beginning of the answer, `opener.example.jinja` for the user's turn before each example,
 * `system.txt`, and `opener.system.txt`, which follows it in prompts for openers.
 * @throws PromptError when a file is missing or cannot be used
 */
export async function loadPrompts(folder: string, options: PromptOptions = {}): Promise<Prompts> {
  const { sampling = DEFAULT_SAMPLING } = options
  const system = options.system ?? (await readOptional(path.join(folder, 'system.txt')))?.trim()
  const ofOpeners = (await readOptional(path.join(folder, 'opener.system.txt')))?.trim()
  const [opener, example, matchReason, preferences] = await Promise.all([
    loadRequiredTask(folder, 'opener'),
    loadTask(folder, 'opener.example'),
    loadTask(folder, 'match-reason'),
    loadRequiredTask(folder, 'preferences'),
  ])
  const openerGuidance = await loadOpenerGuidance(folder)
  const sources = [
    ...[opener, example, matchReason, preferences].flatMap((task) => task?.sources ?? []),
    ...(ofOpeners === undefined ? [] : [ofOpeners]),
  ]
  const revision = createHash('sha256')
    .update(JSON.stringify([options.revision, system, sampling, sources, openerGuidance]))
    .digest('hex')
    .slice(0, 12)
  const openerSystem = [system, ofOpeners].filter(Boolean).join('\n\n') || undefined

  function render({ turn, prefill }: Task, variables: object, before = systemTurn(system)): Prompt {
    const values = flatten(variables) as Record<string, unknown>
    const turns: ChatTurn[] = [...before, { role: 'user', text: turn(values) }]
    return prefill ? { turns, prefill: prefill(values) } : { turns }
  }
  function renderOpener({ recipient, examples = [], ...rest }: OpenerVariables): Prompt {
    const { style, tone } = rest
    const shown = examples.flatMap(({ about, text }): ChatTurn[] => [
      ...(example ? render(example, { about, style, tone }, []).turns : []),
      { role: 'assistant', text: oneLine(text) },
    ])
    return render(
      opener,
      { detail: '', ...rest, examples, recipient: { name: '', ...recipient } },
      [...systemTurn(openerSystem), ...(example ? shown : [])],
    )
  }
  return {
    opener: renderOpener,
    showsExamples: example !== undefined || opener.reads.has('examples'),
    openerStart: { system: openerSystem, opening: commonOpening(renderOpener) },
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

function systemTurn(text: string | undefined): ChatTurn[] {
  return text ? [{ role: 'system', text }] : []
}

/** What the first turns of the user begin with in two prompts that have nothing in common. */
function commonOpening(render: (variables: OpenerVariables) => Prompt): string {
  const [one, other] = [SAMPLES.opener, OTHER_OPENER].map((variables) => {
    const turn = render(variables).turns.find(({ role }) => role === 'user')
    return [...(turn?.text ?? '')]
  }) as [string[], string[]]
  const length = one.findIndex((character, i) => character !== other[i])
  return one.slice(0, length === -1 ? undefined : length).join('')
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
