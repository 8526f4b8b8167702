import net from 'node:net'
import type { AttackTarget, Outcomes, StopAttack } from './attack.js'

const TICK_MS = 50

export interface HeldSockets {
  /** Sockets open at a time. */
  count: number
  openPerSecond: number
  /** Written to a new socket. */
  opening: string
  /** Written again and again to keep it busy, every second. */
  more?: string
}

/** Keeps raw connections open, and opens another one for each that the server closes. */
export function holdSockets(
  { baseUrl }: AttackTarget,
  outcomes: Outcomes,
  { count, openPerSecond, opening, more }: HeldSockets,
): StopAttack {
  const { hostname, port } = new URL(baseUrl)
  const sockets = new Set<net.Socket>()
  const open = () => {
    const socket = net.connect({ host: hostname, port: Number(port) }, () => {
      outcomes.count('opened')
      socket.write(opening)
    })
    const trickle = more === undefined ? undefined : setInterval(() => socket.write(more), 1_000)
    sockets.add(socket)
    socket.on('data', (chunk: Buffer) => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1]
      if (status !== undefined) outcomes.count(status)
    })
    socket.on('error', () => outcomes.count('broken'))
    socket.once('close', () => {
      clearInterval(trickle)
      sockets.delete(socket)
    })
  }
  let dueAt = performance.now()
  const timer = setInterval(() => {
    for (; dueAt <= performance.now(); dueAt += 1_000 / openPerSecond) {
      if (sockets.size < count) open()
    }
  }, TICK_MS)
  return () => {
    clearInterval(timer)
    for (const socket of sockets) socket.destroy()
  }
}
