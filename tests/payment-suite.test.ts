import { providersUnderTest } from '#testing/payment-suite/providers.ts'
import { runPaymentSuite } from '#testing/payment-suite/suite.ts'

runPaymentSuite(providersUnderTest)
