import fc, { type Arbitrary } from 'fast-check'
import { oddText } from './odd-text.js'

/** JSON as text, so that it may contain what no JavaScript value can: duplicate keys, numbers beyond doubles. */
type JsonNode =
  | { kind: 'raw'; text: string }
  | { kind: 'list'; items: JsonNode[] }
  | { kind: 'object'; entries: [key: string, value: JsonNode][] }

const MAX_TEXT = 6_000

const oddKey = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'id', 'length'),
  oddText(300),
)

const oddValue: Arbitrary<JsonNode> = fc
  .oneof(
    fc.constantFrom('null', 'true', '-0', '1e999', '-1e400', '12345678901234567890', '0.1e-400'),
    fc.constantFrom('""', '[]', '{}', '[null]', '{"__proto__":{"x":1}}', '" "', '1.5', '-1', '6'),
    fc.constantFrom('"\\ud800"', '"\\u0000"', 'NaN', "'x'", '01', '"\t"', 'undefined', '1_0'),
    fc.integer({ min: 1, max: 3_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
    fc.integer({ min: 1, max: 20_000 }).map((count) => `[${'0,'.repeat(count)}0]`),
    fc.integer({ min: 1, max: 5_000 }).map(manyKeys),
    oddText(MAX_TEXT).map((text) => JSON.stringify(text)),
    oddText(200).map((text) => JSON.stringify([text, text])),
    oddText(200).map((text) => JSON.stringify(`https://${text}`)),
  )
  .map((text) => ({ kind: 'raw', text }))

function manyKeys(count: number): string {
  return `{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join(',')}}`
}

type Edit =
  | { kind: 'replace'; value: JsonNode }
  | { kind: 'remove' | 'repeat' | 'wrap' | 'swap' }
  | { kind: 'rename' | 'add'; key: string; value: JsonNode }

const edit: Arbitrary<Edit> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('replace' as const), value: oddValue }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('remove', 'repeat', 'wrap', 'swap') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('rename', 'add'),
      key: oddKey,
      value: oddValue,
    }),
  },
)

/** Valid JSON with up to three edits anywhere in it, as text. */
export function mutatedJson(valid: readonly unknown[]): Arbitrary<string> {
  const edits = fc.array(fc.record({ at: fc.nat(10_000), edit }), { maxLength: 3 })
  return fc.record({ base: fc.nat(valid.length - 1), edits }).map((input) => {
    const root = { kind: 'list' as const, items: [toNode(valid[input.base])] }
    for (const { at, edit } of input.edits) applyEdit(root, at, edit)
    return root.items.map(write).join('')
  })
}

function toNode(value: unknown): JsonNode {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(toNode) }
  if (typeof value !== 'object' || value === null) {
    return { kind: 'raw', text: JSON.stringify(value) }
  }
  return {
    kind: 'object',
    entries: Object.entries(value).map(([key, part]) => [key, toNode(part)]),
  }
}

function write(node: JsonNode): string {
  switch (node.kind) {
    case 'raw':
      return node.text
    case 'list':
      return `[${node.items.map(write).join(',')}]`
    case 'object':
      return `{${node.entries.map(([key, value]) => `${JSON.stringify(key)}:${write(value)}`).join(',')}}`
  }
}

type Holder = Exclude<JsonNode, { kind: 'raw' }>

/** Every place of a value: its holder and the index in it. */
function listPlaces(holder: Holder): { holder: Holder; index: number }[] {
  const values = valuesOf(holder)
  return values.flatMap((value, index) => [
    { holder, index },
    ...(value.kind === 'raw' ? [] : listPlaces(value)),
  ])
}

function valuesOf(holder: Holder): JsonNode[] {
  return holder.kind === 'list' ? holder.items : holder.entries.map(([, value]) => value)
}

function applyEdit(root: Holder, at: number, edit: Edit): void {
  const places = listPlaces(root)
  const place = places[at % places.length]
  if (!place) return
  const { holder, index } = place
  const children: unknown[] = holder.kind === 'list' ? holder.items : holder.entries
  const value = valuesOf(holder)[index]!
  const put = (key: string | undefined, changed: JsonNode) => {
    if (holder.kind === 'list') holder.items[index] = changed
    else holder.entries[index] = [key ?? holder.entries[index]![0], changed]
  }
  switch (edit.kind) {
    case 'replace':
      return put(undefined, edit.value)
    case 'remove':
      return void children.splice(index, 1)
    case 'repeat':
      return void children.push(children[index])
    case 'wrap':
      return put(undefined, { kind: 'list', items: [value] })
    case 'swap':
      // As text: the other value may contain this one.
      return put(undefined, {
        kind: 'raw',
        text: write(places[(at * 7 + 1) % places.length]!.holder),
      })
    case 'rename':
      return put(edit.key, value)
    case 'add':
      if (value.kind === 'object') value.entries.push([edit.key, edit.value])
      else if (value.kind === 'list') value.items.push(edit.value)
  }
}
