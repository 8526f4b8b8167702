import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'

/** Finds a free TCP port of the loopback interface. */
export async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
