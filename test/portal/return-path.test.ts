import { parseReturnPath } from '../../src/portal/return-path.js'

describe('parseReturnPath', () => {
  it.each([
    ['/portal/keys?env=live', '/portal/keys?env=live'],
    ['/portal', '/portal'],
    [null, '/portal'],
    ['https://evil.example/portal', '/portal'],
    ['//evil.example/portal', '/portal'],
    ['/\\evil.example/portal', '/portal'],
    ['/portal/../v1/events', '/portal'],
    ['/portalize', '/portal'],
    ['javascript:alert(1)', '/portal'],
  ])('turns %s into %s', (requested, path) => {
    expect(parseReturnPath(requested)).toBe(path)
  })
})
