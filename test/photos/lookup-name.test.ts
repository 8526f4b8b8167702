import dgram from 'node:dgram'
import type { LookupAddress } from 'node:dns'
import type { AddressInfo } from 'node:net'
import { createNameLookup } from '../../src/photos/lookup-name.js'

const HEADER_BYTES = 12
const A_RECORD = 1
const REFUSED = 5

describe('the lookup of names', () => {
  let server: dgram.Socket
  let lookup: ReturnType<typeof createNameLookup>
  /** Sends the answers that were held back. */
  let late: (() => void)[]

  beforeEach(async () => {
    late = []
    server = dgram.createSocket('udp4')
    server.on('message', (query, { port, address }) => {
      const send = () => server.send(answer(query), port, address)
      if (query.includes('silent')) late.push(send)
      else send()
    })
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    lookup = createNameLookup({ servers: [`127.0.0.1:${port}`] })
  })
  afterEach(() => new Promise<void>((resolve) => server.close(resolve)))

  const find = (name: string, options: { all?: boolean; family?: number } = { all: true }) =>
    new Promise<string | LookupAddress[]>((resolve, reject) => {
      lookup(name, options, (error, found) => (error ? reject(error) : resolve(found)))
    })

  it('answers while the servers of many other names never answer', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `silent${index}.example`)
    const silent = Promise.allSettled(names.map((name) => find(name)))
    while (late.length < 2 * names.length) await new Promise((resolve) => setImmediate(resolve))

    expect(await find('photos.example')).toEqual([{ address: '192.0.2.1', family: 4 }])
    expect(await find('photos.example', {})).toBe('192.0.2.1')

    for (const send of late) send()
    const outcomes = await silent
    expect(outcomes.map(({ status }) => status)).toEqual(names.map(() => 'fulfilled'))
  })

  it('passes on why the servers gave no address', async () => {
    await expect(find('refused.example')).rejects.toMatchObject({ code: 'EREFUSED' })
  })

  it('says that a name without an address of the wanted kind is not found', async () => {
    await expect(find('photos.example', { all: true, family: 6 })).rejects.toThrow('no address')
  })

  it("asks the system for the operator's own names", async () => {
    expect(await find('localhost')).toContainEqual({ address: '127.0.0.1', family: 4 })
  })
})

/** One address for questions about IPv4, none for others; RFC 1035, section 4. */
function answer(query: Buffer): Buffer {
  const endOfName = query.indexOf(0, HEADER_BYTES)
  const question = query.subarray(HEADER_BYTES, endOfName + 5)
  const isOfA = question.readUInt16BE(question.length - 4) === A_RECORD
  const hasAddress = isOfA && !query.includes('refused')
  const status = query.includes('refused') ? REFUSED : 0
  const header = [...query.subarray(0, 2), 0x81, 0x80 | status, 0, 1, 0, +hasAddress, 0, 0, 0, 0]
  const record = [0xc0, HEADER_BYTES, 0, A_RECORD, 0, 1, 0, 0, 0, 0, 0, 4, 192, 0, 2, 1]
  return Buffer.concat([Buffer.from(header), question, Buffer.from(hasAddress ? record : [])])
}
