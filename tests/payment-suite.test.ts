import { mollieUnderTest } from '#testing/payment-suite/providers/mollie.ts'
import { outsideUnderTest } from '#testing/payment-suite/providers/outside.ts'
import { stripeUnderTest } from '#testing/payment-suite/providers/stripe.ts'
import { testUnderTest } from '#testing/payment-suite/providers/test.ts'
import { runPaymentSuite } from '#testing/payment-suite/suite.ts'

runPaymentSuite([testUnderTest, outsideUnderTest, stripeUnderTest, mollieUnderTest])
