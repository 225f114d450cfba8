// Recast and Detour behind a C interface, so that both sides of a benchmark run in one process.
//
// Positions come in as (x, y, z), z up, and are handed to Recast as (x, z, y) with the winding of triangles turned:
// a mirror image, so that both builders lay their grid from the same corner and voxels can be compared one to one.
#include <cmath>
#include <cstring>
#include <vector>

#include "recastnavigation/DetourNavMesh.h"
#include "recastnavigation/DetourNavMeshBuilder.h"
#include "recastnavigation/DetourNavMeshQuery.h"
#include "recastnavigation/Recast.h"

namespace {

const int NEAREST_NODES = 2048;
const int PATH_POLYGONS = 2048;

struct Settings {
  float voxel, voxel_height, height, radius, climb, slope_degrees;
  float region_min, region_merge;  // edge of a square, voxels
  float edge_length, edge_error;   // metres, voxels
  float detail_distance, detail_error;  // voxels, voxel heights
  int corners, watershed, keep_spans;
};

struct Baked {
  rcPolyMesh* polygons = nullptr;
  dtNavMesh* mesh = nullptr;
  dtNavMeshQuery* query = nullptr;
  double open_area = 0, walkable_area = 0;
  std::vector<int> spans;  // x, y, floor, free height, walkable, region
  ~Baked() {
    rcFreePolyMesh(polygons);
    dtFreeNavMeshQuery(query);
    dtFreeNavMesh(mesh);
  }
};

// Frees what a bake needs only on its way.
struct Workings {
  rcHeightfield* solid = rcAllocHeightfield();
  rcCompactHeightfield* open = rcAllocCompactHeightfield();
  rcContourSet* contours = rcAllocContourSet();
  rcPolyMeshDetail* detail = rcAllocPolyMeshDetail();
  ~Workings() {
    rcFreeHeightField(solid);
    rcFreeCompactHeightfield(open);
    rcFreeContourSet(contours);
    rcFreePolyMeshDetail(detail);
  }
};

void turn(const float* from, float* to) {
  to[0] = from[0];
  to[1] = from[2];
  to[2] = from[1];
}

rcConfig configure(const Settings& given, const float* vertices, int vertex_count) {
  rcConfig config;
  std::memset(&config, 0, sizeof(config));
  config.cs = given.voxel;
  config.ch = given.voxel_height;
  config.walkableSlopeAngle = given.slope_degrees;
  config.walkableHeight = (int)std::ceil(given.height / given.voxel_height);
  config.walkableClimb = (int)std::floor(given.climb / given.voxel_height);
  config.walkableRadius = (int)std::ceil(given.radius / given.voxel);
  config.maxEdgeLen = (int)(given.edge_length / given.voxel);
  config.maxSimplificationError = given.edge_error;
  config.minRegionArea = (int)(given.region_min * given.region_min);
  config.mergeRegionArea = (int)(given.region_merge * given.region_merge);
  config.maxVertsPerPoly = given.corners;
  config.detailSampleDist = given.detail_distance < 0.9f ? 0 : given.voxel * given.detail_distance;
  config.detailSampleMaxError = given.voxel_height * given.detail_error;
  rcCalcBounds(vertices, vertex_count, config.bmin, config.bmax);
  rcCalcGridSize(config.bmin, config.bmax, config.cs, &config.width, &config.height);
  return config;
}

double count_area(const rcCompactHeightfield& field) {
  long walkable = 0;
  for (int i = 0; i < field.spanCount; ++i) walkable += field.areas[i] != RC_NULL_AREA;
  return (double)walkable * field.cs * field.cs;
}

void keep_spans(const rcCompactHeightfield& field, std::vector<int>& out) {
  for (int y = 0; y < field.height; ++y)
    for (int x = 0; x < field.width; ++x) {
      const rcCompactCell& column = field.cells[x + y * field.width];
      for (unsigned i = column.index; i < column.index + column.count; ++i) {
        const rcCompactSpan& span = field.spans[i];
        const int row[6] = {x, y, span.y, (int)span.h, field.areas[i] != RC_NULL_AREA, span.reg};
        out.insert(out.end(), row, row + 6);
      }
    }
}

bool make_detour(const Settings& given, const rcConfig& config, const rcPolyMeshDetail& detail, Baked& baked) {
  rcPolyMesh& polygons = *baked.polygons;
  for (int i = 0; i < polygons.npolys; ++i) polygons.flags[i] = 1;
  dtNavMeshCreateParams params;
  std::memset(&params, 0, sizeof(params));
  params.verts = polygons.verts;
  params.vertCount = polygons.nverts;
  params.polys = polygons.polys;
  params.polyAreas = polygons.areas;
  params.polyFlags = polygons.flags;
  params.polyCount = polygons.npolys;
  params.nvp = polygons.nvp;
  params.detailMeshes = detail.meshes;
  params.detailVerts = detail.verts;
  params.detailVertsCount = detail.nverts;
  params.detailTris = detail.tris;
  params.detailTriCount = detail.ntris;
  params.walkableHeight = given.height;
  params.walkableRadius = given.radius;
  params.walkableClimb = given.climb;
  std::memcpy(params.bmin, polygons.bmin, sizeof(params.bmin));
  std::memcpy(params.bmax, polygons.bmax, sizeof(params.bmax));
  params.cs = config.cs;
  params.ch = config.ch;
  params.buildBvTree = true;
  unsigned char* data = nullptr;
  int size = 0;
  if (!dtCreateNavMeshData(&params, &data, &size)) return false;
  baked.mesh = dtAllocNavMesh();
  baked.query = dtAllocNavMeshQuery();
  return dtStatusSucceed(baked.mesh->init(data, size, DT_TILE_FREE_DATA)) &&
         dtStatusSucceed(baked.query->init(baked.mesh, NEAREST_NODES));
}

bool bake(const float* vertices, int vertex_count, const int* triangles, int triangle_count, const Settings& given,
          Baked& baked) {
  rcContext context(false);
  Workings work;
  const rcConfig config = configure(given, vertices, vertex_count);
  if (!rcCreateHeightfield(&context, *work.solid, config.width, config.height, config.bmin, config.bmax, config.cs,
                           config.ch))
    return false;
  std::vector<unsigned char> areas(triangle_count, 0);
  rcMarkWalkableTriangles(&context, config.walkableSlopeAngle, vertices, vertex_count, triangles, triangle_count,
                          areas.data());
  if (!rcRasterizeTriangles(&context, vertices, vertex_count, triangles, areas.data(), triangle_count, *work.solid,
                            config.walkableClimb))
    return false;
  rcFilterLowHangingWalkableObstacles(&context, config.walkableClimb, *work.solid);
  rcFilterLedgeSpans(&context, config.walkableHeight, config.walkableClimb, *work.solid);
  rcFilterWalkableLowHeightSpans(&context, config.walkableHeight, *work.solid);
  if (!rcBuildCompactHeightfield(&context, config.walkableHeight, config.walkableClimb, *work.solid, *work.open))
    return false;
  baked.open_area = count_area(*work.open);
  if (!rcErodeWalkableArea(&context, config.walkableRadius, *work.open)) return false;
  baked.walkable_area = count_area(*work.open);
  if (given.watershed) {
    if (!rcBuildDistanceField(&context, *work.open)) return false;
    if (!rcBuildRegions(&context, *work.open, 0, config.minRegionArea, config.mergeRegionArea)) return false;
  } else if (!rcBuildRegionsMonotone(&context, *work.open, 0, config.minRegionArea, config.mergeRegionArea)) {
    return false;
  }
  if (given.keep_spans) keep_spans(*work.open, baked.spans);
  if (!rcBuildContours(&context, *work.open, config.maxSimplificationError, config.maxEdgeLen, *work.contours))
    return false;
  baked.polygons = rcAllocPolyMesh();
  if (!rcBuildPolyMesh(&context, *work.contours, config.maxVertsPerPoly, *baked.polygons)) return false;
  if (!rcBuildPolyMeshDetail(&context, *baked.polygons, *work.open, config.detailSampleDist,
                             config.detailSampleMaxError, *work.detail))
    return false;
  return make_detour(given, config, *work.detail, baked);
}

}  // namespace

extern "C" {

// Positions are already turned: (x, z, y) float32. Returns null where Recast gives up.
void* peer_bake(const float* vertices, int vertex_count, const int* triangles, int triangle_count,
                const Settings* given) {
  Baked* baked = new Baked;
  if (bake(vertices, vertex_count, triangles, triangle_count, *given, *baked)) return baked;
  delete baked;
  return nullptr;
}

void peer_free(void* handle) { delete (Baked*)handle; }

double peer_open_area(void* handle) { return ((Baked*)handle)->open_area; }
double peer_walkable_area(void* handle) { return ((Baked*)handle)->walkable_area; }
int peer_polygon_count(void* handle) { return ((Baked*)handle)->polygons->npolys; }
int peer_corners(void* handle) { return ((Baked*)handle)->polygons->nvp; }
int peer_span_count(void* handle) { return (int)(((Baked*)handle)->spans.size() / 6); }

void peer_spans(void* handle, int* out) {
  const std::vector<int>& spans = ((Baked*)handle)->spans;
  std::memcpy(out, spans.data(), spans.size() * sizeof(int));
}

// Fills counts[polygon], regions[polygon] and corners[polygon][corner][xyz], z up.
void peer_polygons(void* handle, int* counts, int* regions, float* corners) {
  const rcPolyMesh& mesh = *((Baked*)handle)->polygons;
  for (int p = 0; p < mesh.npolys; ++p) {
    const unsigned short* polygon = mesh.polys + (size_t)p * 2 * mesh.nvp;
    counts[p] = 0;
    regions[p] = mesh.regs[p];
    for (int k = 0; k < mesh.nvp && polygon[k] != RC_MESH_NULL_IDX; ++k) {
      const unsigned short* vertex = mesh.verts + polygon[k] * 3;
      float* to = corners + ((size_t)p * mesh.nvp + k) * 3;
      to[0] = mesh.bmin[0] + vertex[0] * mesh.cs;
      to[1] = mesh.bmin[2] + vertex[2] * mesh.cs;
      to[2] = mesh.bmin[1] + vertex[1] * mesh.ch;
      ++counts[p];
    }
  }
}

// refs[i] = 0 where no polygon lies within half_extents (x, y, z) of the point.
void peer_nearest(void* handle, int count, const float* points, const float* half_extents, unsigned* refs,
                  float* nearest) {
  const dtNavMeshQuery& query = *((Baked*)handle)->query;
  const dtQueryFilter filter;
  float half[3], centre[3], found[3];
  turn(half_extents, half);
  for (int i = 0; i < count; ++i) {
    dtPolyRef ref = 0;
    turn(points + 3 * i, centre);
    turn(points + 3 * i, found);
    query.findNearestPoly(centre, half, &filter, &ref, found);
    turn(found, nearest + 3 * i);
    refs[i] = (unsigned)ref;
  }
}

// t[i] >= 1 where the way is free; starts lie on polygon refs[i].
void peer_raycast(void* handle, int count, const unsigned* refs, const float* starts, const float* ends, float* t) {
  const dtNavMeshQuery& query = *((Baked*)handle)->query;
  const dtQueryFilter filter;
  dtPolyRef path[PATH_POLYGONS];
  float start[3], end[3];
  for (int i = 0; i < count; ++i) {
    dtRaycastHit hit;
    hit.path = path;
    hit.maxPath = PATH_POLYGONS;
    turn(starts + 3 * i, start);
    turn(ends + 3 * i, end);
    t[i] = -1.0f;
    if (dtStatusSucceed(query.raycast(refs[i], start, end, &filter, 0, &hit))) t[i] = hit.t;
  }
}

// As peer_raycast, but finds the start polygon first, as a game that knows only a position does.
void peer_locate_and_raycast(void* handle, int count, const float* starts, const float* ends,
                             const float* half_extents, float* t) {
  unsigned ref;
  float nearest[3];
  for (int i = 0; i < count; ++i) {
    peer_nearest(handle, 1, starts + 3 * i, half_extents, &ref, nearest);
    t[i] = -1.0f;
    if (ref) peer_raycast(handle, 1, &ref, nearest, ends + 3 * i, t + i);
  }
}

// Length in metres of the pulled path, -1 where there is none; partial[i] = 1 where it stops short of the goal.
void peer_path_length(void* handle, int count, const unsigned* start_refs, const unsigned* end_refs,
                      const float* starts, const float* ends, float* lengths, unsigned char* partial) {
  const dtNavMeshQuery& query = *((Baked*)handle)->query;
  const dtQueryFilter filter;
  std::vector<dtPolyRef> polygons(PATH_POLYGONS);
  std::vector<float> points(PATH_POLYGONS * 3);
  float start[3], end[3];
  for (int i = 0; i < count; ++i) {
    int polygon_count = 0, point_count = 0;
    turn(starts + 3 * i, start);
    turn(ends + 3 * i, end);
    lengths[i] = -1.0f;
    const dtStatus status =
        query.findPath(start_refs[i], end_refs[i], start, end, &filter, polygons.data(), &polygon_count, PATH_POLYGONS);
    if (dtStatusFailed(status) || polygon_count == 0) continue;
    partial[i] = polygons[polygon_count - 1] != end_refs[i];
    if (partial[i]) query.closestPointOnPoly(polygons[polygon_count - 1], end, end, nullptr);
    query.findStraightPath(start, end, polygons.data(), polygon_count, points.data(), nullptr, nullptr, &point_count,
                           PATH_POLYGONS);
    lengths[i] = 0.0f;
    for (int k = 1; k < point_count; ++k) {
      const float *a = &points[3 * (k - 1)], *b = &points[3 * k];
      lengths[i] += std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                              (a[2] - b[2]) * (a[2] - b[2]));
    }
  }
}
}
