/** The form of a VAT identification number: its prefix, the rest as a pattern, and an example without meaning. */
type VatForm = { readonly prefix: string; readonly rest: RegExp; readonly example: string }

const form = (prefix: string, rest: RegExp, example: string): VatForm => ({ prefix, rest, example: prefix + example })

// The structures that VIES, the VAT information exchange of the EU, publishes, by the country of ISO 3166-1.
const forms: Readonly<Record<string, VatForm>> = {
  AT: form('AT', /^U\d{8}$/, 'U12345678'),
  BE: form('BE', /^[01]\d{9}$/, '0123456789'),
  BG: form('BG', /^\d{9,10}$/, '123456789'),
  CY: form('CY', /^\d{8}[A-Z]$/, '12345678A'),
  CZ: form('CZ', /^\d{8,10}$/, '12345678'),
  DE: form('DE', /^\d{9}$/, '123456789'),
  DK: form('DK', /^\d{8}$/, '12345678'),
  EE: form('EE', /^\d{9}$/, '123456789'),
  ES: form('ES', /^(?:[A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/, 'A12345678'),
  FI: form('FI', /^\d{8}$/, '12345678'),
  FR: form('FR', /^[A-HJ-NP-Z0-9]{2}\d{9}$/, '12345678901'),
  GR: form('EL', /^\d{9}$/, '123456789'),
  HR: form('HR', /^\d{11}$/, '12345678901'),
  HU: form('HU', /^\d{8}$/, '12345678'),
  IE: form('IE', /^(?:\d[A-Z0-9+*]\d{5}[A-Z]|\d{7}[A-Z]{2})$/, '1234567AB'),
  IT: form('IT', /^\d{11}$/, '12345678901'),
  LT: form('LT', /^(?:\d{9}|\d{12})$/, '123456789'),
  LU: form('LU', /^\d{8}$/, '12345678'),
  LV: form('LV', /^\d{11}$/, '12345678901'),
  MT: form('MT', /^\d{8}$/, '12345678'),
  NL: form('NL', /^[A-Z0-9+*]{9}B[A-Z0-9+*]{2}$/, '123456789B01'),
  PL: form('PL', /^\d{10}$/, '1234567890'),
  PT: form('PT', /^\d{9}$/, '123456789'),
  RO: form('RO', /^\d{2,10}$/, '12345678'),
  SE: form('SE', /^\d{12}$/, '123456789012'),
  SI: form('SI', /^\d{8}$/, '12345678'),
  SK: form('SK', /^\d{10}$/, '1234567890'),
}

/**
 * What is wrong with the form of a tax id: in the EU that of a VAT identification number with its prefix, elsewhere any text.
 * Whether the number was issued is not checked. Undefined when the form is right.
 */
export const taxIdError = (taxId: string, country: string): string | undefined => {
  const expected = Object.hasOwn(forms, country) ? forms[country] : undefined
  if (expected === undefined) return undefined
  const { prefix, rest, example } = expected
  if (taxId.startsWith(prefix) && rest.test(taxId.slice(prefix.length))) return undefined
  return `is not a VAT identification number of ${country}, such as ${example}, without spaces and dots`
}

/** Whether businesses of a country have VAT identification numbers of the EU. */
export const hasVatNumbers = (country: string): boolean => Object.hasOwn(forms, country)
