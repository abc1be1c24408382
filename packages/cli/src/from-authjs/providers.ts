/** Providers whose requests differ from those of Auth.js. */

/** Ids, and what differs. */
const differing: readonly (readonly [ids: readonly string[], text: string])[] = [
  [
    [
      "box",
      "bungie",
      "dribbble",
      "eveonline",
      "facebook",
      "hubspot",
      "instagram",
      "patreon",
      "pipedrive",
      "todoist",
      "vk",
      "wechat",
    ],
    "endpoints or scopes that no longer exist at the service were replaced",
  ],
  [["discord", "faceit"], "it is called at the address that the service documents today"],
  [
    ["box", "clickup", "coinbase", "line", "mailchimp", "naver", "osu"],
    "the client secret goes into the body, as the service documents",
  ],
  [["box", "boxyhq-saml", "bungie"], "no scope is asked for"],
  [["dribbble"], "the scope is public"],
  [["instagram"], "the scope is instagram_business_basic"],
  [["azure-devops", "passage"], "the service has ended: this provider is refused, the others go on"],
]

/** A provider of the application whose requests differ. */
export interface ProviderNote {
  readonly id: string
  readonly text: string
}

/** What differs for the providers of an application. */
export function providerNotes(ids: Iterable<string>): readonly ProviderNote[] {
  return [...ids]
    .toSorted()
    .flatMap((id) => differing.flatMap(([names, text]) => (names.includes(id) ? [{ id, text }] : [])))
}
