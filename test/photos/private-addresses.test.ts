import { createPhotoFetcher, type PhotoFetcher } from '../../src/photos/fetch-photo.js'
import { failureOf, fetchPhoto, loopback, never } from './_fetch-failure.js'
import { photoAt } from './_photo-at.js'
import { openPhotoHost, resolver, type PhotoHost } from './_photo-host.js'
import { catJpeg } from './_sample-photos.js'

const closers: (() => unknown)[] = []
const open = (...args: Parameters<typeof createPhotoFetcher>): PhotoFetcher => {
  const fetcher = createPhotoFetcher(...args)
  closers.push(() => fetcher.close())
  return fetcher
}
const serve = async (...args: Parameters<typeof openPhotoHost>): Promise<PhotoHost> => {
  const host = await openPhotoHost(...args)
  closers.push(() => host.close())
  return host
}
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

describe('fetching from private addresses', () => {
  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback in short', '127.1'],
    ['loopback as a decimal number', '2130706433'],
    ['loopback in hexadecimal', '0x7f000001'],
    ['loopback in hexadecimal parts', '0x7f.0x0.0x0.0x1'],
    ['loopback in octal', '0177.0.0.01'],
    ['loopback in full-width digits', '１２７.０.０.１'],
    ['loopback with a dot at the end', '127.0.0.1.'],
    ['the unspecified address', '0.0.0.0'],
    ['the unspecified address in short', '0'],
    ['IPv6 loopback', '[::1]'],
    ['the unspecified IPv6 address', '[::]'],
    ['IPv4-mapped loopback', '[::ffff:127.0.0.1]'],
    ['IPv4-mapped loopback in hexadecimal', '[::ffff:7f00:1]'],
    ['IPv4-compatible loopback', '[::127.0.0.1]'],
    ['NAT64 of loopback', '[64:ff9b::127.0.0.1]'],
    ['IPv6 link-local', '[fe80::1]'],
    ['unique local', '[fd00:ec2::254]'],
    ['cloud metadata', '169.254.169.254'],
    ['cloud metadata as a decimal number', '2852039166'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['a private network', '10.0.0.1'],
    ['another private network', '192.168.0.1'],
    ['localhost', 'localhost'],
    ['localhost in capitals with a dot', 'LOCALHOST.'],
    ['a name under localhost', 'photos.localhost'],
    ['a name on the local link', 'printer.local'],
    ['the metadata service by name', 'metadata.google.internal'],
    ['a name without a dot', 'intranet'],
  ])('refuses %s without opening a connection', async (_, hostname) => {
    const host = await serve((_request, response) => response.end(catJpeg))
    const lookup = resolver({})
    const fetcher = open({ ...loopback, allowedCidrs: [] }, { lookup })
    const failure = await failureOf(fetcher, `http://${hostname}:${host.port}/photo.jpg`)
    expect(failure.problem).toBe('address_refused')
    expect(host.requests).toHaveLength(0)
    expect(lookup.asked).toEqual([])
  })

  it.each([
    ['loopback', ['127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['IPv4-mapped loopback', ['::ffff:127.0.0.1']],
    ['cloud metadata', ['169.254.169.254']],
    ['a public and a private address', ['93.184.216.34', '127.0.0.1']],
    ['a private and a public address', ['127.0.0.1', '93.184.216.34']],
    ['a public IPv6 and a private IPv4 address', ['2606:4700::1111', '10.0.0.1']],
  ])('refuses a public name that resolves to %s', async (_, addresses) => {
    const host = await serve((_request, response) => response.end(catJpeg))
    const lookup = resolver({ 'photos.example.com': [addresses] })
    for (const scheme of ['http', 'https']) {
      const fetcher = open({ ...loopback, allowedCidrs: [] }, { lookup })
      const failure = await failureOf(fetcher, `${scheme}://photos.example.com:${host.port}/a.jpg`)
      expect(failure.problem).toBe('address_refused')
    }
    expect(host.requests).toHaveLength(0)
    expect(await host.connections()).toBe(0)
  })

  it('fetches from exactly the addresses the operator allows', async () => {
    const host = await serve((_request, response) => response.end(catJpeg))
    const lookup = resolver({
      'photos.example.com': [['127.0.0.1']],
      'b.example.com': [['127.0.0.2']],
    })
    const fetcher = open({ ...loopback, allowedCidrs: ['fd00::/8', '127.0.0.1/32'] }, { lookup })
    const bytes = await fetchPhoto(fetcher, photoAt(host.url()), never)
    expect(catJpeg.equals(bytes)).toBe(true)
    const byName = `http://photos.example.com:${host.port}/photo.jpg`
    expect(catJpeg.equals(await fetchPhoto(fetcher, photoAt(byName), never))).toBe(true)

    for (const hostname of ['127.0.0.2', '[::1]', '[::ffff:127.0.0.1]', 'b.example.com']) {
      const failure = await failureOf(fetcher, `http://${hostname}:${host.port}/photo.jpg`)
      expect(failure.problem).toBe('address_refused')
    }
    expect(host.requests).toHaveLength(2)
  })

  it('refuses a redirect to a private address', async () => {
    const targets = ['127.0.0.2', 'localhost', '[::1]', '2130706434', 'rebound.example.com']
    const lookup = resolver({ localhost: [['::1']], 'rebound.example.com': [['10.0.0.1']] })
    for (const target of targets) {
      const host = await serve((_request, response) => {
        response.writeHead(302, { location: `http://${target}:${host.port}/secret` }).end()
      })
      const failure = await failureOf(open(loopback, { lookup }), host.url())
      expect(failure.problem).toBe('address_refused')
      expect(host.requests).toHaveLength(1)
    }
  })

  it('refuses a name that turns private between two fetches', async () => {
    const host = await serve((_request, response) => response.end(catJpeg))
    const lookup = resolver({ 'photos.example.com': [['127.0.0.1'], ['127.0.0.2']] })
    const fetcher = open(loopback, { lookup })
    const reference = `http://photos.example.com:${host.port}/photo.jpg`
    expect(catJpeg.equals(await fetchPhoto(fetcher, photoAt(reference), never))).toBe(true)
    expect((await failureOf(fetcher, reference)).problem).toBe('address_refused')
    expect(host.requests).toHaveLength(1)
  })

  it('refuses a name that turns private between two hops', async () => {
    const host = await serve((_request, response) => {
      response.writeHead(302, { location: '/again' }).end()
    })
    const lookup = resolver({ 'photos.example.com': [['127.0.0.1'], ['127.0.0.2']] })
    const failure = await failureOf(
      open(loopback, { lookup }),
      `http://photos.example.com:${host.port}/photo.jpg`,
    )
    expect(failure.problem).toBe('address_refused')
    expect(lookup.asked).toHaveLength(2)
  })

  it('connects with the very answer it checked', async () => {
    const host = await serve((_request, response) => response.end(catJpeg))
    const lookup = resolver({ 'photos.example.com': [['127.0.0.1'], ['127.0.0.2']] })
    const reference = photoAt(`http://photos.example.com:${host.port}/photo.jpg`)
    await fetchPhoto(open(loopback, { lookup }), reference, never)
    expect(lookup.asked).toEqual(['photos.example.com'])
    expect(host.requests).toHaveLength(1)
  })

  it('takes no way around through a proxy of the environment', async () => {
    const proxy = await serve((_request, response) => response.end(catJpeg))
    const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY']
    const before = { ...process.env }
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`
    try {
      const fetcher = open({ ...loopback, allowedCidrs: [] }, { lookup: resolver({}) })
      for (const scheme of ['http', 'https']) {
        const failure = await failureOf(fetcher, `${scheme}://10.0.0.1/photo.jpg`)
        expect(failure.problem).toBe('address_refused')
      }
      expect(proxy.requests).toHaveLength(0)
      expect(await proxy.connections()).toBe(0)
    } finally {
      process.env = before
    }
  })
})
