/** Addresses of the service itself, below the trusted origin. */
import type { AuthAction } from "../http/endpoints.js"
import { isUrl, pathSegment } from "../std/url.js"
import type { FeatureAction } from "../types/feature.js"
import type { ProviderAddresses } from "../types/provider.js"
import type { Context } from "./context.js"

/** The absolute address of an action. */
export function actionUrl({ incoming, settings }: Context, action: AuthAction | FeatureAction): string {
  return `${incoming.origin}${settings.basePath}/${action}`
}

/** The absolute address of an action for one provider. */
export function providerUrl(context: Context, action: AuthAction, provider: string): string {
  return `${actionUrl(context, action)}/${pathSegment(provider)}`
}

/** Where a provider is reached at this service. */
export function addressesOf(context: Context, provider: string): ProviderAddresses {
  return {
    signinUrl: providerUrl(context, "signin", provider),
    callbackUrl: providerUrl(context, "callback", provider),
  }
}

/** A configured page, resolved against the origin; it may be foreign, because the application wrote it. */
export function pageUrl({ incoming }: Context, page: string): string {
  return isUrl(page, incoming.origin) ? new URL(page, incoming.origin).href : incoming.origin
}
