/**
 * The most frequent passwords, and stems of passwords, in lists of leaked ones. The minimum length already refuses most;
 * these are long ones, and words that people lengthen with digits.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `password passwort passw0rd admin administrator letmein welcome qwerty qwertz azerty qwertyuiop
  qwertzuiop qwertyuiopasdf asdfghjkl asdfghjklqwerty zxcvbnm iloveyou sunshine princess football baseball
  superman batman dragon monkey shadow master michael jennifer jordan hunter trustno changeme changemenow secret
  topsecret test testing testtest tester default guest login loginlogin internet computer whatever starwars
  passwordpassword adminadmin administratoradministrator qwertyqwerty welcomewelcome letmeinletmein
  iloveyouiloveyou summer winter spring autumn abcdefghijkl abcdefghijklm abcdefghijklmnop abcdabcdabcd
  aaabbbcccddd correcthorsebatterystaple thisismypassword mypasswordis mypassword myspassword passwordadmin
  adminpassword opensesame letmeinplease pleaseletmein supersecret supersecretpassword verysecret rootroot
  toortoor 123456789012 1234567890123 12345678901234 123456789123 1234567890qw 1q2w3e4r5t6y 1qaz2wsx3edc
  qwerty123456 qwertyuiop12 abc123abc123 123123123123 123456123456 112233445566 121212121212 987654321012
  1234567891011 012345678910 q1w2e3r4t5y6 zaq12wsxcde3 password1234 welcome12345 changeme1234 p@ssw0rd1234
  p@ssword p@ssw0rd pa$$word pa$$w0rd portal partner service profileservice profileintelligence`
    .split(/\s+/)
    .filter(Boolean),
)
