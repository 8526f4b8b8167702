import type { Template } from '@huggingface/jinja'

export interface TemplateNames {
  read: Set<string>
  /** Loop variables, macros with their arguments, and targets of `set`. */
  set: Set<string>
  /** Object and property of `object.property`. */
  properties: [string, string][]
}

/** Lists every name that a Jinja template reads or sets, in all branches. */
export function listTemplateNames({ parsed }: Template): TemplateNames {
  const names: TemplateNames = { read: new Set(), set: new Set(), properties: [] }
  collectNames(parsed, names)
  return names
}

interface Node {
  type: string
  [part: string]: unknown
}

/** Walks the syntax tree and separates names of variables from those of filters, tests and arguments. */
function collectNames(part: unknown, names: TemplateNames): void {
  if (part instanceof Map) return collectNames([...part], names)
  if (Array.isArray(part)) return part.forEach((item) => collectNames(item, names))
  if (!isNode(part)) return
  const { type, ...parts } = part
  switch (type) {
    case 'Identifier':
      names.read.add(String(parts.value))
      return
    case 'MemberExpression':
      if (!parts.computed && isIdentifier(parts.object) && isIdentifier(parts.property))
        names.properties.push([parts.object.value, parts.property.value])
      return collectNames([parts.object, parts.computed ? parts.property : []], names)
    case 'FilterExpression':
    case 'FilterStatement':
      // A filter with arguments is a call.
      return collectNames(
        [parts.operand, parts.body, isNode(parts.filter) ? parts.filter.args : []],
        names,
      )
    case 'TestExpression':
      return collectNames(parts.operand, names)
    case 'KeywordArgumentExpression':
      return collectNames(parts.value, names)
    case 'For':
      declare(parts.loopvar, names)
      return collectNames([parts.iterable, parts.body, parts.defaultBlock], names)
    case 'Set':
      declare(parts.assignee, names)
      return collectNames([parts.value, parts.body], names)
    case 'CallStatement':
      declare(parts.callerArgs, names)
      return collectNames([parts.call, parts.body], names)
    case 'Macro':
      declare([parts.name, parts.args], names)
      return collectNames(parts.body, names)
    default:
      return collectNames(Object.values(parts), names)
  }
}

/** Loop variables, names of macros and their arguments with or without a default. */
function declare(part: unknown, names: TemplateNames): void {
  if (Array.isArray(part)) return part.forEach((item) => declare(item, names))
  if (!isNode(part)) return
  if (isIdentifier(part)) names.set.add(part.value)
  else if (part.type === 'KeywordArgumentExpression') declare(part.key, names)
  else if (part.type === 'TupleLiteral') declare(part.value, names)
}

function isNode(part: unknown): part is Node {
  return typeof part === 'object' && part !== null && 'type' in part
}

function isIdentifier(part: unknown): part is { type: 'Identifier'; value: string } {
  return isNode(part) && part.type === 'Identifier'
}
