/**
 * Licences under which a production dependency may be used, by SPDX identifier. LGPL-3.0-or-later is that of libvips, which sharp
 * loads as a library of its own, so that operators can replace it.
 */
const ALLOWED_LICENCES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
])

/** Whether an SPDX expression of identifiers, `AND`, `OR` and parentheses leaves a choice that is allowed. */
export function isAllowedLicence(expression: string): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? []
  let position = 0

  function either(): boolean {
    let allowed = both()
    while (tokens[position] === 'OR') {
      position += 1
      const right = both()
      allowed ||= right
    }
    return allowed
  }

  function both(): boolean {
    let allowed = single()
    while (tokens[position] === 'AND') {
      position += 1
      const right = single()
      allowed &&= right
    }
    return allowed
  }

  function single(): boolean {
    const token = tokens[position++]
    if (token !== '(') return token !== undefined && ALLOWED_LICENCES.has(token)
    const allowed = either()
    return tokens[position++] === ')' && allowed
  }

  const allowed = either()
  return allowed && position === tokens.length
}
