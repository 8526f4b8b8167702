import { gzipSync } from 'node:zlib'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPhotoFetcher, type PhotoFetcher } from '../../src/photos/fetch-photo.js'
import { PHOTO_LIMITS } from '../../src/photos/photo-limits.js'
import { failureOf, fetchPhoto, loopback, never } from './_fetch-failure.js'
import { photoAt } from './_photo-at.js'
import { openPhotoHost, type PhotoHost } from './_photo-host.js'
import { catJpeg, dataUrl } from './_sample-photos.js'

const closers: (() => unknown)[] = []
const open = (settings: Partial<typeof loopback> = {}): PhotoFetcher => {
  const fetcher = createPhotoFetcher({ ...loopback, ...settings })
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

/** Writes until the other side leaves. */
async function writeForEver(response: ServerResponse, chunk: Buffer, pauseMs = 0): Promise<void> {
  while (!response.destroyed) {
    response.write(chunk)
    await sleep(pauseMs)
  }
}

async function untilNobodyIsConnected(host: PhotoHost): Promise<void> {
  while ((await host.connections()) > 0) await sleep(5)
}

describe('the size of a photo', () => {
  it('takes a photo of exactly the limit', async () => {
    const largest = Buffer.alloc(PHOTO_LIMITS.maxBytes, 1)
    const host = await serve((_request, response) => response.end(largest))
    const bytes = await fetchPhoto(open(), photoAt(host.url()), never)
    expect(bytes.length).toBe(PHOTO_LIMITS.maxBytes)
  })

  it('refuses one byte more, announced or not', async () => {
    const tooLarge = Buffer.alloc(PHOTO_LIMITS.maxBytes + 1)
    const host = await serve((request, response) => {
      if (request.url === '/announced') response.setHeader('content-length', tooLarge.length)
      else response.setHeader('transfer-encoding', 'chunked')
      response.end(tooLarge)
    })
    for (const path of ['/announced', '/chunked']) {
      expect((await failureOf(open(), host.url(path))).problem).toBe('too_large')
    }
  })

  it('cuts off a body without end', async () => {
    const host = await serve((_request, response) => {
      void writeForEver(response, Buffer.alloc(256 * 1024))
    })
    expect((await failureOf(open(), host.url())).problem).toBe('too_large')
    await untilNobodyIsConnected(host)
  })

  it('does not wait for a body that announces itself as too large', async () => {
    const host = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': String(2 ** 40) })
      response.write('x')
    })
    expect((await failureOf(open(), host.url())).problem).toBe('too_large')
    await untilNobodyIsConnected(host)
  })

  it('refuses a body shorter than it announces', async () => {
    const host = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('x'.repeat(10), () => response.destroy())
    })
    expect((await failureOf(open(), host.url())).problem).toBe('unreachable')
  })

  it('takes nothing beyond what a body announces', async () => {
    const host = await serve((_request, response) => {
      response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcdefgh')
    })
    const outcome = await fetchPhoto(open(), photoAt(host.url()), never).then(
      (bytes) => Buffer.from(bytes).toString(),
      () => 'refused',
    )
    expect(['abcd', 'refused']).toContain(outcome)
  })

  it('never decompresses', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    const host = await serve((_request, response) => {
      response
        .writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'image/jpeg' })
        .end(bomb)
    })
    const bytes = await fetchPhoto(open(), photoAt(host.url()), never)
    expect(bytes.length).toBe(bomb.length)
    expect(host.requests[0]).toMatchObject({ 'accept-encoding': 'identity' })
  })

  it('bounds the photo in a data: URL in the same way', async () => {
    const fetcher = open()
    const largest = dataUrl(Buffer.alloc(PHOTO_LIMITS.maxBytes, 1))
    expect((await fetchPhoto(fetcher, photoAt(largest), never)).length).toBe(PHOTO_LIMITS.maxBytes)
    const tooLarge = dataUrl(Buffer.alloc(PHOTO_LIMITS.maxBytes + 1))
    expect((await failureOf(fetcher, tooLarge)).problem).toBe('too_large')
  })
})

describe('the time of a photo', () => {
  it('is named as the reason for a host at the default port', async () => {
    const neverFound = () => {}
    const fetcher = createPhotoFetcher({ ...loopback, fetchTimeoutMs: 50 }, { lookup: neverFound })
    closers.push(() => fetcher.close())
    const failure = await failureOf(fetcher, 'https://photos.example.com/a.jpg')
    expect(failure.problem).toBe('timeout')
  })

  it('ends a body that drips', async () => {
    const host = await serve((_request, response) => {
      void writeForEver(response, Buffer.from('x'), 10)
    })
    expect((await failureOf(open({ fetchTimeoutMs: 150 }), host.url())).problem).toBe('unreachable')
    await untilNobodyIsConnected(host)
  })

  it('ends a host that never answers', async () => {
    const host = await serve(() => {})
    expect((await failureOf(open({ fetchTimeoutMs: 100 }), host.url())).problem).toBe('unreachable')
    await untilNobodyIsConnected(host)
  })

  it('is one for all hops together', async () => {
    const host = await serve((request, response) => {
      const hop = Number(request.url?.slice(1))
      const answer = () => {
        if (hop < 3) response.writeHead(302, { location: `/${hop + 1}` }).end()
        else response.end(catJpeg)
      }
      setTimeout(answer, 150)
    })
    expect((await failureOf(open({ fetchTimeoutMs: 400 }), host.url('/0'))).problem).toBe(
      'unreachable',
    )
  })

  it('ends with the caller, whose reason it passes on', async () => {
    const caller = new AbortController()
    const reason = new Error('the client left')
    const host = await serve((_request, response) => {
      void writeForEver(response, Buffer.from('x'), 5)
      caller.abort(reason)
    })
    const fetching = fetchPhoto(open(), photoAt(host.url()), caller.signal)
    await expect(fetching).rejects.toBe(reason)
    await untilNobodyIsConnected(host)
  })

  it('does not begin for a caller who has left', async () => {
    const host = await serve((_request, response) => response.end(catJpeg))
    const left = AbortSignal.abort(new Error('the client left'))
    await expect(fetchPhoto(open(), photoAt(host.url()), left)).rejects.toBe(left.reason)
    expect(host.requests).toHaveLength(0)
  })

  it('ends when the fetcher closes', async () => {
    const host = await serve(() => {})
    const fetcher = open()
    const failure = failureOf(fetcher, host.url())
    while (host.requests.length === 0) await sleep(5)
    fetcher.close()
    expect((await failure).problem).toBe('overloaded')
    expect((await failureOf(fetcher, host.url())).problem).toBe('overloaded')
    expect(host.requests).toHaveLength(1)
  })
})

describe('redirects', () => {
  it('are followed up to three times', async () => {
    const host = await serve((request, response) => {
      const hop = Number(request.url?.slice(1))
      if (hop < 3) response.writeHead(301 + (hop % 2), { location: `./${hop + 1}` }).end()
      else response.end(catJpeg)
    })
    const bytes = await fetchPhoto(open(), photoAt(host.url('/0')), never)
    expect(catJpeg.equals(bytes)).toBe(true)
  })

  it('are refused from the fourth on, and in loops', async () => {
    const host = await serve((_request, response) => {
      response.writeHead(307, { location: '/photo.jpg' }).end()
    })
    expect((await failureOf(open(), host.url())).problem).toBe('too_many_redirects')
    expect(host.requests).toHaveLength(4)
  })

  it.each([
    'ftp://127.0.0.1/photo.jpg',
    'file:///etc/passwd',
    'data:image/jpeg;base64,/9j/4AAQ',
    'javascript:alert(1)',
    'http://user:secret@127.0.0.1/photo.jpg',
    'http://127.0.0.1:25/',
    'http://[::',
    `/${'a'.repeat(PHOTO_LIMITS.maxUrlLength)}`,
  ])('to %s are refused', async (location) => {
    const host = await serve((_request, response) => response.writeHead(302, { location }).end())
    expect((await failureOf(open(), host.url())).problem).toBe('redirect_refused')
    expect(host.requests).toHaveLength(1)
  })

  it('leave no body behind that keeps running', async () => {
    const host = await serve((request, response) => {
      if (request.url === '/target') return response.end(catJpeg)
      response.writeHead(302, { location: '/target' })
      return void writeForEver(response, Buffer.alloc(1024), 1)
    })
    const bytes = await fetchPhoto(open(), photoAt(host.url()), never)
    expect(catJpeg.equals(bytes)).toBe(true)
    await untilNobodyIsConnected(host)
  })
})

describe('what a photo host gets and gives', () => {
  it('gets no header that says who asks', async () => {
    const host = await serve((request, response) => {
      if (request.url === '/target') return response.end(catJpeg)
      return response.writeHead(302, { location: '/target', 'set-cookie': 'id=1; Path=/' }).end()
    })
    await fetchPhoto(open(), photoAt(host.url('/photo.jpg#fragment')), never)
    expect(host.requests).toHaveLength(2)
    const names = ['accept', 'accept-encoding', 'connection', 'host', 'user-agent']
    for (const headers of host.requests) {
      expect(Object.keys(headers).sort()).toEqual(names)
      expect(headers['user-agent']).not.toMatch(/node|got|profile|\d/i)
    }
  })

  it.each([204, 206, 304, 400, 403, 404, 429, 500, 503])(
    'is not asked twice after a %d',
    async (status) => {
      const host = await serve((_request, response) => {
        response.writeHead(status, { 'retry-after': '0' }).end()
      })
      expect((await failureOf(open(), host.url())).problem).toBe('unreachable')
      expect(host.requests).toHaveLength(1)
    },
  )

  it('gives a body that is judged by its bytes, not by its type', async () => {
    const host = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(catJpeg)
    })
    expect(catJpeg.equals(await fetchPhoto(open(), photoAt(host.url()), never))).toBe(true)
  })

  it.each([
    ['hangs up', (response: ServerResponse) => response.destroy()],
    ['speaks no HTTP', (response: ServerResponse) => response.socket?.end('SSH-2.0-OpenSSH\r\n')],
    [
      'sends endless headers',
      (response: ServerResponse) => {
        response.socket?.write(`HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(10_000)}`)
      },
    ],
  ])('may be one that %s', async (_, handle) => {
    const host = await serve((_request, response) => {
      handle(response)
    })
    expect((await failureOf(open(), host.url())).problem).toBe('unreachable')
    await untilNobodyIsConnected(host)
  })

  it('is unreachable when nobody listens', async () => {
    const host = await serve(() => {})
    await host.close()
    expect((await failureOf(open(), host.url())).problem).toBe('unreachable')
  })

  it('is not asked over http without the permission of the operator', async () => {
    const host = await serve((_request, response) => response.end(catJpeg))
    const failure = await failureOf(open({ allowHttp: false }), host.url())
    expect(failure.problem).toBe('http_not_allowed')
    expect(host.requests).toHaveLength(0)
  })

  it('gets a place at once, however many slow downloads another tenant has under way', async () => {
    const host = await serve((request, response) => {
      if (request.url === '/fast') response.end(catJpeg)
    })
    const fetcher = open({ fetchTimeoutMs: 2_000 })
    const slow = Array.from({ length: 2 * PHOTO_LIMITS.concurrentDownloads }, () =>
      failureOf(fetcher, host.url('/slow')),
    )
    while (host.requests.length < PHOTO_LIMITS.concurrentDownloads / 2) await sleep(5)
    const other = { id: 'another tenant', weight: 1 }
    expect(
      catJpeg.equals(await fetchPhoto(fetcher, photoAt(host.url('/fast')), never, other)),
    ).toBe(true)
    expect(host.requests).toHaveLength(PHOTO_LIMITS.concurrentDownloads / 2 + 1)
    const problems = (await Promise.all(slow)).map(({ problem }) => problem)
    // Those that got no place were no fault of the photo.
    expect(new Set(problems)).toEqual(new Set(['overloaded', 'unreachable']))
  })

  it('ends its wait when its caller leaves or the fetcher is closed', async () => {
    const host = await serve(() => {})
    const fetcher = open()
    const slow = Array.from({ length: PHOTO_LIMITS.concurrentDownloads }, () =>
      failureOf(fetcher, host.url('/slow')),
    )
    const caller = new AbortController()
    const left = fetchPhoto(fetcher, photoAt(host.url('/left')), caller.signal)
    const waiting = failureOf(fetcher, host.url('/waiting'))
    const reason = new Error('the client left')
    caller.abort(reason)
    await expect(left).rejects.toBe(reason)
    fetcher.close()
    for (const failure of await Promise.all([...slow, waiting])) {
      expect(failure.problem).toBe('overloaded')
    }
    expect(host.requests.length).toBeLessThanOrEqual(PHOTO_LIMITS.concurrentDownloads)
  })

  it('is left after each photo', async () => {
    const host = await serve((_request, response) => response.end(catJpeg))
    await fetchPhoto(open(), photoAt(host.url()), never)
    expect(host.requests[0]).toMatchObject({ connection: 'close' })
    await untilNobodyIsConnected(host)
  })
})
