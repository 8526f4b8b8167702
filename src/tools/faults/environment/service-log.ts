const WARNING = 40

interface LogLine {
  level: number
  msg: string
  [field: string]: unknown
}

/** What the service printed, without the lines about requests. */
export class ServiceLog {
  readonly #lines: LogLine[] = []
  /** Anything that is no log line, such as the message of a refused start. */
  plain = ''
  #rest = ''

  readonly add = (text: string): void => {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop()!
    for (const line of lines) this.#addLine(line)
  }

  #addLine(line: string): void {
    if (!line.startsWith('{')) {
      this.plain += `${line}\n`
      return
    }
    const parsed = JSON.parse(line) as LogLine
    if (parsed.msg !== 'request') this.#lines.push(parsed)
  }

  /** Everything printed so far that is no log line, the unfinished last line included. */
  text(): string {
    return this.plain + this.#rest
  }

  count(message: string | RegExp): number {
    return this.#lines.filter(({ msg }) => msg.match(message)).length
  }

  get length(): number {
    return this.#lines.length
  }

  /** Different warnings and errors since a line, with how often each was logged. */
  problemsSince(line = 0): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { level, msg } of this.#lines.slice(line)) {
      if (level >= WARNING) counts.set(msg, (counts.get(msg) ?? 0) + 1)
    }
    return counts
  }
}
