import { texts } from '#src/texts/index.ts'
import { fileReasons } from '#src/web/file-reasons.ts'

const words = texts.questions

/** The texts of questions that people answer, in every language; `{…}` is filled in. */
export const questionsText = {
  ...texts.questions.common,

  errors: {
    required: words.common.errors.required,
    email: words.common.errors.email,
    phone: words.common.errors.phone,
    url: words.common.errors.url,
    date: words.common.errors.date,
    type: words.common.errors.type,
    minimum: words.common.errors.minimum,
    maximum: words.common.errors.maximum,
    maxLength: words.common.errors.maxLength,
    minLength: words.common.errors.minLength,
    minItems: words.common.errors.minItems,
    maxItems: words.common.errors.maxItems,
    unknown: words.common.errors.unknown,
    ...fileReasons,
    unsupported_type: words.common.errors.unsupported_type,
    other: words.common.errors.other,
  },
} as const
