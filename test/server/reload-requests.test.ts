import { ReloadRequests } from '../../src/server/reload-requests.js'

/** A reload that ends when it is told to. */
function createReload() {
  let starts = 0
  let finish = () => {}
  return {
    starts: () => starts,
    finish: async () => {
      finish()
      await new Promise((resolve) => setImmediate(resolve))
    },
    run: () => {
      starts += 1
      return new Promise<void>((resolve) => (finish = resolve))
    },
  }
}

describe('requests to reload', () => {
  it('are kept until the service can reload', () => {
    const requests = new ReloadRequests()
    const reload = createReload()
    requests.request()
    requests.request()
    expect(reload.starts()).toBe(0)
    requests.handleWith(reload.run)
    expect(reload.starts()).toBe(1)
  })

  it('are answered by one more reload when they come during one, however many', async () => {
    const requests = new ReloadRequests()
    const reload = createReload()
    requests.handleWith(reload.run)
    expect(reload.starts()).toBe(0)
    for (let i = 0; i < 20; i++) requests.request()
    await reload.finish()
    await reload.finish()
    await reload.finish()
    expect(reload.starts()).toBe(2)
    requests.request()
    expect(reload.starts()).toBe(3)
  })
})
