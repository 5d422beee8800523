import fc, { type Arbitrary } from 'fast-check'

/** Generates text of these characters. */
export const characters = (alphabet: string, minLength: number, maxLength: number): Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength })

/** Generates text of any script, without NUL, which no database accepts. */
export const text = (maxLength: number): Arbitrary<string> =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength })
    .filter(value => !value.includes('\u0000') && value.isWellFormed())

/** Generates a word that is not a valid value of any parameter. */
export const word: Arbitrary<string> = characters('abcdefgxyz_', 1, 12)

/** Some of the characters of base64url. */
export const URL_SAFE = 'ABCXYZabcxyz0189-_'

/** Generates a valid value, or one of the faults by its name. */
export const spoiledBy = <Fields extends object>(
  honest: Arbitrary<Fields>,
  faults: Readonly<Record<string, Arbitrary<Fields>>>,
): Arbitrary<{ readonly kind: string; readonly fields: Fields }> =>
  fc.oneof(
    { weight: 1, arbitrary: honest.map(fields => ({ kind: 'nothing wrong', fields })) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(...Object.entries(faults))
        .chain(([kind, fault]) =>
          fc.tuple(honest, fault).map(([fields, more]) => ({ kind, fields: { ...fields, ...more } })),
        ),
    },
  )
