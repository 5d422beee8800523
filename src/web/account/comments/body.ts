import { formField, type Pairs } from '#src/kit/form.ts'

/** Words of several lines as they were typed: a form sends CRLF. */
export const typedBody = (typed: Pairs, name = 'body'): string => formField(typed, name).replaceAll('\r\n', '\n').trim()
