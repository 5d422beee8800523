export {
  CODE_SECONDS,
  type CodeParts,
  type CodeRequest,
  checkCode,
  consumeCode,
  isLinkKey,
  issueCode,
  newLinkKey,
  refundCode,
} from './codes.ts'
export {
  type ActiveCode,
  type CodeBinding,
  type CodePurpose,
  endCodes,
  findCode,
  findTrustedMember,
  useCode,
} from './queries.ts'
