export { CODE_SECONDS, type CodeParts, checkCode, countCode, issueCode } from './codes.ts'
export { type CodePlace, type CodePurpose, endCodes, findCode, type LivingCode, useCode } from './queries.ts'
