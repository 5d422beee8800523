const SHAPE = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/** An IBAN as it is stored: capital letters and digits, without spaces. */
export const writeIban = (text: string): string => text.replace(/\s/g, '').toUpperCase()

/** Why a text is not an IBAN; undefined when it is one. */
export const ibanError = (text: string): string | undefined => {
  const iban = writeIban(text)
  if (!SHAPE.test(iban)) return 'is not an IBAN: a country, two digits, and 11 to 30 letters and digits'
  // ISO 7064, MOD 97-10: letters count from 10, and country and check digits come last.
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map(character => Number.parseInt(character, 36)).join('')
  return BigInt(digits) % 97n === 1n ? undefined : 'has a typing error: its check digits do not fit'
}

/** An IBAN in groups of four, as people read it. */
export const showIban = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ')
