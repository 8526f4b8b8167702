import {
  describePasswordProblem,
  hashPassword,
  verifyPassword,
} from '../../src/accounts/password.js'

describe('describePasswordProblem', () => {
  it.each([
    ['short', 'a few'],
    ['common', 'password1234'],
    ['a common word with digits and signs', 'Password2024!!!'],
    ['one repeated character', 'aaaaaaaaaaaaaaaa'],
    ['the e-mail address', 'somebody@example.com'],
    ['longer than the limit', 'ab1 '.repeat(100)],
  ])('refuses a password that is %s', (_kind, password) => {
    expect(describePasswordProblem(password, 'somebody@example.com')).toEqual(expect.any(String))
  })

  it('accepts a few words', () => {
    expect(describePasswordProblem('green stapler on mars', 'somebody@example.com')).toBeUndefined()
  })
})

describe('verifyPassword', () => {
  it('serves who is known first, however many strangers wait', async () => {
    const hashed = await hashPassword('correct horse battery staple')
    let answered = 0
    const strangers = Array.from({ length: 110 }, () =>
      verifyPassword(hashed, 'a wrong password').finally(() => (answered += 1)),
    )
    const refused = Promise.allSettled(strangers)

    expect(await verifyPassword(hashed, 'correct horse battery staple', { isKnown: true })).toBe(
      true,
    )

    expect(answered).toBeLessThan(50)
    await refused
  })

  it('refuses at once when too many hashes are queued', async () => {
    await verifyPassword(null, 'the first call also hashes the dummy password')
    const attempts = Array.from({ length: 110 }, () => verifyPassword(null, 'a wrong password'))
    const refused = (await Promise.allSettled(attempts)).filter(
      ({ status }) => status === 'rejected',
    )
    // Two run and a hundred wait.
    expect(refused).toHaveLength(8)
    expect(refused[0]).toMatchObject({ reason: { code: 'overloaded' } })
  })
})
