/** The rows of the table with that caption, cell by cell as a reader sees them; the header is the first. */
export function readTable(html: string, caption: string): string[][] {
  const tables = html.match(/<table.*?<\/table>/gs) ?? []
  const table = tables.find((one) => textOf(/<caption.*?<\/caption>/s.exec(one)?.[0]) === caption)
  if (table === undefined) throw new Error(`The page has no table "${caption}".`)
  return [...table.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<t[hd][ >].*?<\/t[hd]>|<td\/?>(?:<\/td>)?/gs)].map(([cell]) => textOf(cell)),
  )
}

/** The numbers in the cards at the top of a page, by label: value and note. */
export function readStats(html: string): Record<string, string> {
  const stats = [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)]
  return Object.fromEntries(
    stats.map(([, label, value]) => [
      textOf(label),
      textOf(value?.replaceAll('</span><span', '</span> | <span')),
    ]),
  )
}

/** The rows of a download, without the byte order mark. */
export function readCsv(text: string): string[][] {
  return text
    .replace(/^\uFEFF/, '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
}

function textOf(html = ''): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
