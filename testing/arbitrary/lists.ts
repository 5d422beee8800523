// Words without spaces are in one string, so that a list is easy to read.
const words = (text: string): string[] => text.trim().split(/\s+/)

const DATES = words(`
  2026-02-30 0000-00-00 0000-01-01 2026-02-30T00:00:00Z 2026-02-03T25:00:00Z 2026-02-03T04:05:06 1e9
  2016-12-31T23:59:60Z 9999-12-31T23:59:59.999999999Z -000001-01-01T00:00:00Z +275760-09-13T00:00:00Z
`)

const INJECTIONS = [
  ...words(`$$ % _% \\ :* ( ***** \${1} {{1}} =cmd|x +1 -1 @a ../../etc/passwd http://127.1 javascript:alert(1)`),
  "' OR 1=1--",
  "\\'; drop table members;--",
  'a & & b',
  '\t=1',
  '\r\nSet-Cookie: a=b',
  'ada@example.org\n',
  '<script>alert(1)</script>',
  '"><img src=x onerror=a>',
]

// NUL, lone surrogates, directions, zero width, separators, text that changes its length when folded or normalised.
const CHARACTERS = words(`
  \\u0000 a\\u0000b \\ud800 a\\udc00b \\u202egnp.exe \\u200b \\ufeff \\u2028 e\\u0301 \\u1e9b\\u0323 \\u0130 \\ufb00
  \\ud83d\\udc69\\u200d\\ud83d\\udc67
`).map(escaped => JSON.parse(`"${escaped}"`) as string)

const LONG = [
  ...[256, 10_001, 200_001].map(length => 'a'.repeat(length)),
  ...['-', ' ', 'a@', 'a.', '王', 'a\u0300'].map(unit => unit.repeat(50_000)),
]

/** Texts that have broken software. */
export const TEXTS = [
  '',
  ' ',
  ...words('1 null undefined NaN __proto__ constructor'),
  '[object Object]',
  ...DATES,
  ...INJECTIONS,
  ...CHARACTERS,
  ...LONG,
]

/** Members that no schema declares, or that a caller may not set. */
export const UNKNOWN_MEMBERS = [
  ...words('__proto__ constructor prototype toString id school_id role status owner_id member_id email_verified'),
  'amount',
  'created_at',
  'revision',
  'scope',
  '$ref',
  'a.b',
  'a\u0000',
  '',
]

/** Texts in place of a JSON value that are not JSON, or that no JavaScript value can express. */
export const RAW = [
  ...words('-0 1.0 9007199254740993 9223372036854775808 1e400 -1e400 01 +1 .5 0x10 NaN Infinity undefined'),
  ...words(`'x' "\\x" "\\ud800" "\\u0000" "open [1,] {"a":1,"a":2} {"__proto__":{"x":1}} /**/1`),
  '',
  '"\t"',
  '\ufeff1',
  '['.repeat(100_000),
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
]

/** The parameters of a list operation. */
export const LIST_PARAMETERS = words('limit cursor sort q fields expand include_total after created_at[gte]')

/** Query values as they are sent. */
export const QUERY_VALUES = [
  ...words('0 -1 1.5 1e9 101 10%20 9007199254740993 NaN true null - , a,,b ***** %3A* name;drop a%22 %27%20OR%201=1--'),
  ...words('% %zz %ff%fe %00 %ED%A0%80 %C0%AF %2525 + %E2%80%AEx ..%2F.. __proto__ 2026-02-30'),
  '',
  '%2B275760-09-13T00:00:00Z',
  'a'.repeat(9_000),
  '%61'.repeat(3_000),
]
