const WELL_FORMED_TEST_KEY = /^sk_test_[0-9A-Za-z]{38}$/

/** Why the playground does not take a text as its key; undefined when it does. */
export function problemOfKey(apiKey: string): string | undefined {
  if (apiKey.startsWith('sk_live_')) {
    return 'This is a live key, which the playground refuses: its calls would count against your plan and mix with real analytics. Use a test key. It was not sent anywhere.'
  }
  if (WELL_FORMED_TEST_KEY.test(apiKey)) return undefined
  return apiKey.startsWith('sk_test_')
    ? 'This key is not whole: a test key has 46 characters.'
    : 'A test key begins with sk_test_ and has 46 characters.'
}

/** The beginning of a key, as lists show it. */
export function keyPrefix(apiKey: string): string {
  return apiKey.slice(0, 12)
}
