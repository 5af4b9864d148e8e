/** The creators of a sandbox: accounts (contract, section 2.1) with scopes and expiry, which the contract shows only by refusals. */
import { z } from 'zod';
import { authSources, photoPermission, videoPermission } from '../service/contract/creators.ts';

export const showcaseScope = 'creator.showcase.write';
export const videoScope = 'creator.video.write';

/** A creator as tests and the admin address give it; all but the first three fields have defaults. */
export const creatorProfile = z.strictObject({
  /** Account table id, for showcase operations. */
  id: z.int().positive(),
  /** For publishing. */
  creatorId: z.string().min(1),
  username: z.string().min(1),
  authSource: z.enum(authSources).default('SOCIAL_SHOP_CREATOR'),
  oauthRegion: z.string().default('US'),
  registerRegion: z.string().default('US'),
  selectionRegion: z.string().default('US'),
  targetMarket: z.string().default('US'),
  valid: z.boolean().default(true),
  tagNames: z.array(z.string()).default([]),
  permissions: z.array(z.string()).default([videoPermission, photoPermission]),
  /** Shown as valid, but every operation of the creator answers 40101. */
  expired: z.boolean().default(false),
  scopes: z.array(z.string()).default([showcaseScope, videoScope]),
});

export type CreatorProfile = z.output<typeof creatorProfile>;
export type CreatorProfileInput = z.input<typeof creatorProfile>;

const names =
  'anna ben carla david elena felix grace henry iris jonas kira leo mia noah olga paul quinn rosa sam tara ' +
  'uma victor wendy xavier yara zoe adam bella chris dana eric fiona george hanna ivan julia kevin lena max nina ' +
  'oscar petra ralf sofia tom ursula vera will xenia yannick amir bianca cesar doris emil frida gina hugo ines jack';

const regions = ['US', 'GB', 'MY', 'TH', 'VN', 'SG', 'PH', 'ID'];

const noPhoto: Partial<CreatorProfileInput> = { permissions: [videoPermission], tagNames: ['no-photo'] };

const special: Readonly<Record<string, Partial<CreatorProfileInput>>> = {
  tom: noPhoto,
  ursula: noPhoto,
  vera: noPhoto,
  will: noPhoto,
  xenia: noPhoto,
  frida: { permissions: [photoPermission], tagNames: ['no-video'] },
  gina: { scopes: [], tagNames: ['no-scopes'] },
  hugo: { valid: false, tagNames: ['invalid'] },
  ines: { expired: true, tagNames: ['expired'] },
  jack: { authSource: 'SOCIAL_LOGIN_KIT', tagNames: ['login-kit'] },
};

/** The creators of every new sandbox: `demo_anna` (account 1001) to `demo_jack` (1060). Account ids and creator ids differ, so that a mix-up shows. */
export function seedCreators(): CreatorProfile[] {
  return names.split(' ').map((name, index) => {
    const region = regions[index % regions.length] ?? 'US';
    return creatorProfile.parse({
      id: 1001 + index,
      creatorId: `7493${String(9_000_000_017 + index * 7_919_123).padStart(15, '0')}`,
      username: `demo_${name}`,
      oauthRegion: region,
      registerRegion: region,
      selectionRegion: region,
      targetMarket: region,
      ...special[name],
    });
  });
}

/** Products in a showcase from the start: one showcase with several pages, two with a few products. */
export const seedProducts: readonly { readonly id: number; readonly added: readonly string[] }[] = [
  { id: 1001, added: Array.from({ length: 45 }, (_, index) => `17294${String(30_001 + index)}`) },
  { id: 1002, added: ['1729440001', '1729440002', '1729440003'] },
  // Of row video-08 of examples/campaign.csv.
  { id: 1004, added: ['1729560102'] },
];
