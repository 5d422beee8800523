export { CODE_SECONDS, type CodeParts, checkCode, countCode, issueCode, returnCode } from './codes.ts'
export { type CodePlace, type CodePurpose, endCodes, findCode, type LivingCode, useCode } from './queries.ts'
