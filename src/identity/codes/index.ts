export { CODE_SECONDS, type CodeParts, checkCode, consumeCode, issueCode, refundCode } from './codes.ts'
export { type CodeBinding, type CodePurpose, endCodes, findCode, type LivingCode, useCode } from './queries.ts'
