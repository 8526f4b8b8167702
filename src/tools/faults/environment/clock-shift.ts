import { readFileSync } from 'node:fs'

/**
 * Preloaded into the service (`--import`): shifts its clock by the milliseconds in the file that FAULT_CLOCK_FILE names,
 * which may change at any time. The kernel's clock, and so timers, stay as they are.
 */
const file = process.env.FAULT_CLOCK_FILE
const RealDate = Date
const READ_EVERY_MS = 50
let shiftMs = 0
let readAt = -Infinity

function currentShiftMs(): number {
  const now = performance.now()
  if (file !== undefined && now - readAt > READ_EVERY_MS) {
    readAt = now
    shiftMs = Number(readFileSync(file, 'utf8'))
  }
  return shiftMs
}

class ShiftedDate extends RealDate {
  constructor(...parts: [] | ConstructorParameters<typeof RealDate>) {
    if (parts.length === 0) super(RealDate.now() + currentShiftMs())
    else super(...(parts as ConstructorParameters<typeof RealDate>))
  }

  static override now(): number {
    return RealDate.now() + currentShiftMs()
  }
}

globalThis.Date = ShiftedDate as DateConstructor
