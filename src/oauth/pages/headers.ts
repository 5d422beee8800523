/**
 * The headers of sign-in and consent. No form-action: browsers apply it to the redirect to the client and beyond.
 * Referrer-Policy same-origin: with no-referrer browsers send `Origin: null` from our own forms.
 */
export const formHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
}
