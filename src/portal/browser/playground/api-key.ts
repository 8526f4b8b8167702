const WELL_FORMED_TEST_KEY = /^sk_test_[0-9A-Za-z]{38}$/

/** Why the playground refuses a key; undefined if it accepts it. */
export function describeKeyProblem(apiKey: string): string | undefined {
  if (apiKey.startsWith('sk_live_')) {
    return 'This is a live key. The playground refuses it, because its calls would count against your plan and mix with real analytics. It was not sent anywhere. Use a test key.'
  }
  if (WELL_FORMED_TEST_KEY.test(apiKey)) return undefined
  return apiKey.startsWith('sk_test_')
    ? 'This key is incomplete: a test key has 46 characters.'
    : 'A test key starts with sk_test_ and has 46 characters.'
}

/** The first characters of a key, as lists show it. */
export function keyPrefix(apiKey: string): string {
  return apiKey.slice(0, 12)
}
