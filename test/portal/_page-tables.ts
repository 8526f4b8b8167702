/** The visible text of each cell of the table with a caption; the first row is the header. */
export function readTable(html: string, caption: string): string[][] {
  const tables = html.match(/<table.*?<\/table>/gs) ?? []
  const table = tables.find((html) => textOf(/<caption.*?<\/caption>/s.exec(html)?.[0]) === caption)
  if (table === undefined) throw new Error(`The page has no table "${caption}".`)
  return [...table.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<t[hd][ >].*?<\/t[hd]>|<td\/?>(?:<\/td>)?/gs)].map(([cell]) => textOf(cell)),
  )
}

/** The numbers at the top of a page by label, as `value | note`. */
export function readStats(html: string): Record<string, string> {
  const stats = [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)]
  return Object.fromEntries(
    stats.map(([, label, value]) => [
      textOf(label),
      textOf(value?.replaceAll('</span><span', '</span> | <span')),
    ]),
  )
}

/** The cells of a CSV download, without the byte order mark. */
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
