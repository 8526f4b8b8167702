import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startService, type Service } from '../http/_service.js'

describe('/docs', () => {
  let service: Service
  let page: Response
  let html: string
  beforeAll(async () => {
    service = await startService()
    page = await fetch(`${service.baseUrl}/docs`)
    html = await page.text()
  })
  afterAll(() => service.close())

  it('is a page', () => {
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
  })

  it.each([
    ['/docs/swagger-ui-bundle.js', 'text/javascript'],
    ['/docs/start-viewer.js', 'text/javascript'],
    ['/docs/swagger-ui.css', 'text/css'],
    ['/docs/page.css', 'text/css'],
    ['/docs/favicon-32x32.png', 'image/png'],
  ])('loads %s from this host', async (path, type) => {
    expect(html).toContain(`"${path}"`)
    const asset = await fetch(service.baseUrl + path)
    expect([asset.status, asset.headers.get('content-type')?.split(';')[0]]).toEqual([200, type])
    expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(0)
  })

  it('loads nothing from other hosts and has no inline scripts or styles', () => {
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url)
    for (const url of loaded) expect(url).toMatch(/^\/[^/]/)
    expect(html).not.toMatch(/<script>|<style|\son\w+=|\sstyle=/)
  })

  it('has a policy that forbids everything else', () => {
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
  })

  it('serves no other files of the viewer', async () => {
    for (const file of ['package.json', 'index.html', '..%2fpackage.json', 'swagger-ui.js']) {
      expect((await fetch(`${service.baseUrl}/docs/${file}`)).status).toBe(404)
    }
  })
})
