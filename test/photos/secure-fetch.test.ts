import {
  createPhotoFetcher,
  type PhotoFetcher,
  type PhotoFetcherSettings,
} from '../../src/photos/fetch-photo.js'
import { failureOf, fetchPhoto, loopback, never } from './_fetch-failure.js'
import { photoAt } from './_photo-at.js'
import {
  certificate,
  openPhotoHost,
  openSecurePhotoHost,
  resolver,
  type PhotoHost,
} from './_photo-host.js'
import { catJpeg } from './_sample-photos.js'

const closers: (() => unknown)[] = []
const keep = <T extends { close(): unknown }>(opened: T): T => {
  closers.push(() => opened.close())
  return opened
}
const lookup = () => resolver({ 'photos.test': [['127.0.0.1']], 'other.test': [['127.0.0.1']] })
const open = (settings: Partial<PhotoFetcherSettings> = {}, trust = true): PhotoFetcher =>
  keep(
    createPhotoFetcher(
      { ...loopback, allowHttp: false, ...settings },
      { lookup: lookup(), certificateAuthority: trust ? certificate : undefined },
    ),
  )
const servePhoto = async (): Promise<PhotoHost> =>
  keep(await openSecurePhotoHost((_request, response) => response.end(catJpeg)))

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

describe('fetching over https', () => {
  it('takes a photo from a host it trusts', async () => {
    const host = await servePhoto()
    expect(catJpeg.equals(await fetchPhoto(open(), photoAt(host.url()), never))).toBe(true)
  })

  it('follows a redirect within https', async () => {
    const target = await servePhoto()
    const host = keep(
      await openSecurePhotoHost((_request, response) => {
        response.writeHead(308, { location: target.url() }).end()
      }),
    )
    expect(catJpeg.equals(await fetchPhoto(open(), photoAt(host.url()), never))).toBe(true)
  })

  it('refuses a certificate it does not trust', async () => {
    const host = await servePhoto()
    expect((await failureOf(open({}, false), host.url())).problem).toBe('unreachable')
    expect(host.requests).toHaveLength(0)
  })

  it('refuses a certificate of another name', async () => {
    const host = await servePhoto()
    const reference = host.url().replace('photos.test', 'other.test')
    expect((await failureOf(open(), reference)).problem).toBe('unreachable')
    expect(host.requests).toHaveLength(0)
  })

  it('refuses private addresses as over http', async () => {
    const host = await servePhoto()
    const fetcher = open({ allowedCidrs: ['127.0.0.2/32'] })
    for (const hostname of ['photos.test', '127.0.0.1', '[::ffff:127.0.0.1]', '2130706433']) {
      const reference = host.url().replace('photos.test', hostname)
      expect((await failureOf(fetcher, reference)).problem).toBe('address_refused')
    }
    expect(await host.connections()).toBe(0)
  })

  it('follows no redirect from https to http unless the operator allows http', async () => {
    const target = keep(await openPhotoHost((_request, response) => response.end(catJpeg)))
    const host = keep(
      await openSecurePhotoHost((_request, response) => {
        response.writeHead(302, { location: target.url() }).end()
      }),
    )
    expect((await failureOf(open(), host.url())).problem).toBe('redirect_refused')
    expect(target.requests).toHaveLength(0)

    const bytes = await fetchPhoto(open({ allowHttp: true }), photoAt(host.url()), never)
    expect(catJpeg.equals(bytes)).toBe(true)
  })
})
