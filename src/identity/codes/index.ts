export {
  CODE_SECONDS,
  type CodeParts,
  checkCode,
  consumeCode,
  isLinkKey,
  issueCode,
  newLinkKey,
  refundCode,
} from './codes.ts'
export { type ActiveCode, type CodeBinding, type CodePurpose, endCodes, findCode, useCode } from './queries.ts'
