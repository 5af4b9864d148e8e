/** The creators of every new sandbox. Account ids and creator ids differ, so that a mix-up shows. */
import { photoPermission, videoPermission } from '../../api/contract/creators.ts';
import { type CreatorProfile, type CreatorProfileInput, creatorProfile } from '../store/creators.ts';

const names =
  'anna ben carla david elena felix grace henry iris jonas kira leo mia noah olga paul quinn rosa sam tara ' +
  'uma victor wendy xavier yara zoe adam bella chris dana eric fiona george hanna ivan julia kevin lena max nina ' +
  'oscar petra ralf sofia tom ursula vera will xenia yannick amir bianca cesar doris emil frida gina hugo ines jack';

const regions = ['US', 'GB', 'MY', 'TH', 'VN', 'SG', 'PH', 'ID'];

/** Creators with a defect. */
const special: Readonly<Record<string, Partial<CreatorProfileInput>>> = {
  tom: { permissions: [videoPermission], tagNames: ['no-photo'] },
  ursula: { permissions: [videoPermission], tagNames: ['no-photo'] },
  vera: { permissions: [videoPermission], tagNames: ['no-photo'] },
  will: { permissions: [videoPermission], tagNames: ['no-photo'] },
  xenia: { permissions: [videoPermission], tagNames: ['no-photo'] },
  frida: { permissions: [photoPermission], tagNames: ['no-video'] },
  gina: { scopes: [], tagNames: ['no-scopes'] },
  hugo: { valid: false, tagNames: ['invalid'] },
  ines: { expired: true, tagNames: ['expired'] },
  jack: { authSource: 'SOCIAL_LOGIN_KIT', tagNames: ['login-kit'] },
};

/** `demo_anna` (account 1001) to `demo_jack` (1060). */
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

/** Products in a showcase from the start: one showcase with several pages, one with a few products. */
export const seedProducts: readonly { readonly id: number; readonly productIds: readonly string[] }[] = [
  { id: 1001, productIds: Array.from({ length: 45 }, (_, index) => `17294${String(30_001 + index)}`) },
  { id: 1002, productIds: ['1729440001', '1729440002', '1729440003'] },
  // Of row video-08 of examples/campaign.csv.
  { id: 1004, productIds: ['1729560102'] },
];
